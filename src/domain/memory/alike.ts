import type { Distilled } from "./turn-record.ts";
import { isStopWord, listWords } from "./words.ts";

type Words = Pick<Distilled, "title" | "narrative" | "facts">;

/** Short words that reverse a statement. */
const negations = new Set(["no", "not", "never", "without", "dont", "cannot"]);
/** The shorter note must have at least this share of the longer note's word count. */
const minShare = 0.7;

/**
 * Whether one note adds nothing to the other: the longer one contains all content words of the shorter one in the same
 * order. A single different word, number or "not" may be the point, and so may the order ("A rather than B").
 */
export function isSameStatement(a: Words, b: Words): boolean {
  const [left, right] = [contentWords(a), contentWords(b)];
  if ([...negations].some((word) => left.includes(word) !== right.includes(word))) return false;
  const [shorter, longer] = left.length <= right.length ? [left, right] : [right, left];
  if (shorter.length === 0 || shorter.length < longer.length * minShare) return false;
  let place = 0;
  for (const word of longer) if (word === shorter[place]) place += 1;
  return place === shorter.length;
}

/** Whether two texts have the same numbers and the same "not": vectors hardly reflect either. */
export function agreesInNumbersAndNegation(a: string, b: string): boolean {
  const [left, right] = [listMarks(a), listMarks(b)];
  return left.length === right.length && left.every((mark, n) => mark === right[n]);
}

function listMarks(text: string): string[] {
  const words = listWords(text.replaceAll(/n['’]t\b/g, " not"));
  return [...new Set(words.filter((word) => negations.has(word) || /\d/.test(word)))].toSorted();
}

/**
 * Numbers that are used to find near-duplicates: nearly all notes with nine of ten words in common share a sketch, and
 * nearly no others do. Notes with different `scope` never share one.
 */
export function sketchesOf(note: Words, scope: string): number[] {
  const words = [...new Set(contentWords(note))];
  if (words.length < 2) return [];
  return seeds.map((seed) => {
    const pair = [scope, ...lowestTwo(words, seed)].join("\n");
    return (hash32(pair, 1) & 0xfffff) * 2 ** 32 + hash32(pair, 2);
  });
}

const seeds = [3, 4, 5];

/** The two words with the lowest hashes, the lowest first. */
function lowestTwo(words: readonly string[], seed: number): [string, string] {
  let [first, second] = ["", ""];
  let [firstRank, secondRank] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const word of words) {
    const rank = hash32(word, seed);
    if (rank < firstRank) {
      [second, secondRank] = [first, firstRank];
      [first, firstRank] = [word, rank];
    } else if (rank < secondRank) [second, secondRank] = [word, rank];
  }
  return [first, second];
}

/** A new note is compared with several others, each of its words several times. */
const wordsOfNote = new WeakMap<Words, readonly string[]>();

/** The content words of a note, without their endings. */
function contentWords(note: Words): readonly string[] {
  const known = wordsOfNote.get(note);
  if (known) return known;
  const text = [note.title, note.narrative, ...note.facts].join("\n").replaceAll(/n['’]t\b/g, " not");
  const words = listWords(text)
    .filter((word) => !isStopWord(word) || negations.has(word))
    .map(cutEnding);
  wordsOfNote.set(note, words);
  return words;
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
