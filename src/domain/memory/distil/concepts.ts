import { isStopWord } from "../words.ts";

const maxConcepts = 8;

/** The names a text is about: words in backticks or written like code, most frequent first. */
export function listConcepts(text: string): string[] {
  const counts = new Map<string, number>();
  const count = (name: string, weight: number): void => {
    const key = name.trim();
    if (key.length < 3 || key.length > 60 || /\s{2}|^[\d.,%\s-]+$/.test(key) || isStopWord(key.toLowerCase()))
      return;
    counts.set(key, (counts.get(key) ?? 0) + weight);
  };
  // A span of any length, so that a long one does not turn the text after it into code.
  for (const [, code = ""] of text.matchAll(/`([^`\n]+)`/g)) count(code, 2);
  for (const [name] of text.matchAll(
    /\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w*|\w+_\w+|\w+(?:::|\.)\w+\(\)|[A-Z]{2,}[A-Z0-9_]*)\b/g,
  ))
    count(name, 1);
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, maxConcepts)
    .map(([name]) => name);
}
