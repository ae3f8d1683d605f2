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

/** Minimum share of a statement's words that a text must have to contain it. */
const sameStatement = 0.85;

/** Facts without those that an earlier one, or the text, already states. */
export function dropRepeats(text: string, facts: readonly string[]): string[] {
  const told = [text];
  for (const fact of facts) if (!told.some((one) => states(one, fact))) told.push(fact);
  return told.slice(1);
}

/** Whether a text contains a statement: the same words, and the same ones negated. */
function states(text: string, statement: string): boolean {
  if (text === statement) return true;
  if (wordOverlap(statement, text) < sameStatement) return false;
  const [denied, deniedInText] = [negatedWords(statement), negatedWords(text)];
  const words = contentWords(statement);
  return [...words].every((word) => denied.has(word) === deniedInText.has(word));
}

/** The content words that follow a negation. */
function negatedWords(text: string): Set<string> {
  const negated = [...text.matchAll(negation)].map(([, after = ""]) => [...contentWords(after)][0] ?? "");
  return new Set(negated);
}

const negation = /(?:\b(?:no|not|never|without|cannot|none)|n['’]t)\b((?:\W+[\w'’]+){1,4})/gi;

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
