import { isStopWord, listWords } from "../words.ts";

/** Whether two texts say the same: they share 60 % of the shorter one's content words, or 30 % and two code names. */
export function isRestatement(a: { text: string }, b: { text: string }): boolean {
  const [left, right] = [contentWords(a.text), contentWords(b.text)];
  const [shorter, longer] = left.size <= right.size ? [left, right] : [right, left];
  if (shorter.size === 0) return false;
  const common = countCommon(shorter, longer) / shorter.size;
  return common >= 0.6 || (common >= 0.3 && countCommon(namesOf(a.text), namesOf(b.text)) >= 2);
}

/** The share of the content words of one text that are in the other. */
export function wordOverlap(part: string, whole: string): number {
  const words = contentWords(part);
  return words.size === 0 ? 0 : countCommon(words, contentWords(whole)) / words.size;
}

export function countCommon(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const item of a) if (b.has(item)) count += 1;
  return count;
}

function contentWords(text: string): Set<string> {
  const words = listWords(text).filter((word) => word.length > 2 && !isStopWord(word));
  return new Set(words.map((word) => word.slice(0, 7)));
}

export function namesOf(text: string): Set<string> {
  return new Set(text.match(/`[^`]{2,60}`|\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w*|\w+_\w+)\b/g) ?? []);
}
