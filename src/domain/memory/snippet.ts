import { toOneLine } from "../../shared/text.ts";

const width = 220;

/** The part of a text with the most search words close together. */
export function makeSnippet(text: string, words: readonly string[]): string {
  const flat = toOneLine(text);
  if (flat.length <= width) return flat;
  const lower = flat.toLowerCase();
  const stems = words.map((word) => word.slice(0, Math.max(4, word.length - 3)));
  const hits = stems.flatMap((stem) => positionsOf(lower, stem)).toSorted((a, b) => a - b);
  let best = 0;
  let bestCount = 0;
  for (const start of hits) {
    const count = hits.filter((hit) => hit >= start && hit < start + width - 40).length;
    if (count > bestCount) [best, bestCount] = [start, count];
  }
  const start = Math.max(0, Math.min(best - 30, flat.length - width));
  const from = start === 0 ? 0 : flat.indexOf(" ", start) + 1;
  const end = from + width;
  return `${from > 0 ? "… " : ""}${flat.slice(from, end)}${end < flat.length ? " …" : ""}`;
}

function positionsOf(text: string, word: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(word); at >= 0 && found.length < 20; at = text.indexOf(word, at + 1))
    found.push(at);
  return found;
}
