import { lexiconEntries } from "./lexicon-words.ts";

/** Runs of Han, kana and Hangul. */
const unspacedRun = /[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]&&\p{L}]+/gv;
const isBeyondLatin = /[\u0250-\uffff]/;
/** Endings of Korean nouns: a noun of one syllable is only recognised on its own or with one of these. */
const koreanEnding = /^(?:은|는|이|가|을|를|에|의|로|와|과|도|만|에서|으로|까지|부터|마다)?$/;
const isHangul = /^\p{Script=Hangul}$/u;
/** Characters of the longest word. */
const maxLength = 12;
/** Minimum share of the characters that must belong to known words; a few words do not say what a text is about. */
const minCovered = 0.25;

let opened: ReadonlyMap<string, string[]> | undefined;

/**
 * The English words for the Chinese, Japanese and Korean words of a text that the lexicon contains, in the order of the
 * text. A word with several meanings gives all of them; Latin text gives none.
 */
export function listMeanings(text: string): string[] {
  if (!isBeyondLatin.test(text)) return [];
  return (text.normalize("NFKC").match(unspacedRun) ?? []).flatMap((run) => readRun(run).meanings);
}

/**
 * The text with the English words instead of the Chinese, Japanese and Korean ones. Undefined if it has none, or if too
 * little of it is known.
 */
export function translateWords(text: string): string | undefined {
  if (!isBeyondLatin.test(text)) return undefined;
  let letters = 0;
  let covered = 0;
  const translated = text.normalize("NFKC").replace(unspacedRun, (run) => {
    const read = readRun(run);
    letters += run.length;
    covered += read.covered;
    return ` ${read.meanings.join(" ")} `;
  });
  return letters > 0 && covered >= minCovered * letters ? translated : undefined;
}

/** Takes the longest known word at each place. */
function readRun(run: string): { meanings: string[]; covered: number } {
  opened ??= readEntries();
  const meanings: string[] = [];
  let covered = 0;
  for (let at = 0; at < run.length; ) {
    const length = longestAt(run, at, opened);
    if (length > 0) meanings.push(...(opened.get(run.slice(at, at + length)) ?? []));
    covered += length;
    at += Math.max(1, length);
  }
  return { meanings, covered };
}

function longestAt(run: string, at: number, known: ReadonlyMap<string, string[]>): number {
  for (let length = Math.min(maxLength, run.length - at); length > 1; length--)
    if (known.has(run.slice(at, at + length))) return length;
  const letter = run.charAt(at);
  if (!known.has(letter)) return 0;
  return !isHangul.test(letter) || (at === 0 && koreanEnding.test(run.slice(1))) ? 1 : 0;
}

interface Entry {
  english: string[];
  words: string[];
}

function listEntries(): Entry[] {
  return lexiconEntries.split(",").map((entry) => {
    const all = entry.trim().split(/\s+/);
    return {
      english: all.filter((word) => !isBeyondLatin.test(word)),
      words: all.filter((word) => isBeyondLatin.test(word)),
    };
  });
}

function readEntries(): Map<string, string[]> {
  const known = new Map<string, string[]>();
  for (const { english, words } of listEntries())
    for (const word of words) known.set(word, [...new Set([...(known.get(word) ?? []), ...english])]);
  return known;
}
