import type { Distilled } from "./turn-record.ts";
import { isStopWord, listWords } from "./words.ts";

type Words = Pick<Distilled, "title" | "narrative" | "facts">;

/** They carry a contradiction, however small they are. */
const negations = new Set(["no", "not", "never", "without", "dont", "cannot"]);
/** Of the longer note's words the shorter must have at least this share. */
const minShare = 0.7;

/**
 * Whether one note says nothing that the other does not: the words of weight of the shorter stand in the longer, in their
 * order. One other word, number or "not" may be the point of it, and so may their order ("A rather than B").
 */
export function isSameStatement(a: Words, b: Words): boolean {
  const [left, right] = [weightyWords(a), weightyWords(b)];
  if ([...negations].some((word) => left.includes(word) !== right.includes(word))) return false;
  const [shorter, longer] = left.length <= right.length ? [left, right] : [right, left];
  if (shorter.length === 0 || shorter.length < longer.length * minShare) return false;
  let place = 0;
  for (const word of longer) if (word === shorter[place]) place += 1;
  return place === shorter.length;
}

/**
 * Numbers by which notes that say the same find each other: of notes that share nine words in ten, nearly all share a
 * sketch; of others, nearly none. `scope` keeps apart what may not be merged.
 */
export function sketchesOf(note: Words, scope: string): number[] {
  const words = [...new Set(weightyWords(note))];
  if (words.length < 2) return [];
  return seeds.map((seed) => {
    const [first, second] = words
      .map((word) => ({ word, rank: hash32(word, seed) }))
      .toSorted((x, y) => x.rank - y.rank);
    const pair = `${scope}\n${first?.word}\n${second?.word}`;
    return (hash32(pair, 1) & 0xfffff) * 2 ** 32 + hash32(pair, 2);
  });
}

const seeds = [3, 4, 5];

/** What a note says, without the words that only hold a sentence together, and without their endings. */
function weightyWords({ title, narrative, facts }: Words): string[] {
  const words = listWords([title, narrative, ...facts].join("\n").replaceAll(/n['’]t\b/g, " not"));
  return words.filter((word) => !isStopWord(word) || negations.has(word)).map(cutEnding);
}

function cutEnding(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, "") : word;
}

/** FNV-1a. */
function hash32(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1);
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
