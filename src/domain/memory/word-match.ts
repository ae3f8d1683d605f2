import { listMeanings } from "./lexicon.ts";
import { segment } from "./segment.ts";
import type { Synonyms } from "./thesaurus.ts";
import { listWords } from "./words.ts";

/** A word of the query. */
export interface MatchTerm {
  stem: string;
  synonyms: Synonyms;
  /** Rare words weigh more. */
  weight: number;
}

/** How much of a query a text contains; 1 is all of it. */
export interface WordMatch {
  /** Anywhere in the text. */
  coverage: number;
  /** The same without synonyms. */
  literal: number;
  /** Within one sentence or line: words that belong together stand together, and others say more about it. */
  passage: number;
}

/** Characters compared per text. */
const maxLetters = 6_000;

/** Compares texts with the words of a query, any inflection and synonyms included. */
export function matchWords(
  terms: readonly MatchTerm[],
  texts: readonly string[],
  stem: (words: readonly string[]) => string[],
): WordMatch[] {
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return texts.map(() => ({ coverage: 0, literal: 0, passage: 0 }));
  const wanted = listValues(terms);
  const beginnings = new Set([...wanted.keys()].map(beginningOf));
  const read = texts.map((text) => listPassages(text.slice(0, maxLetters), beginnings));
  const words = [...new Set(read.flatMap((passages) => passages.flatMap((passage) => passage.words)))];
  const stems = stem(words);
  const valuesOf = new Map(words.map((word, n) => [word, wanted.get(stems[n] ?? word)]));
  const share = (best: Float64Array): number =>
    terms.reduce((sum, { weight }, n) => sum + weight * (best[n] as number), 0) / total;
  return read.map((passages) => {
    const anywhere = new Float64Array(terms.length);
    const shares: PassageShare[] = [];
    for (const { words: inPassage, length } of passages) {
      if (inPassage.length === 0) continue;
      const best = new Float64Array(terms.length);
      for (const word of inPassage)
        for (const { term, value } of valuesOf.get(word) ?? []) {
          if (value > (best[term] as number)) best[term] = value;
          if (value > (anywhere[term] as number)) anywhere[term] = value;
        }
      shares.push({ share: share(best), length });
    }
    return {
      coverage: share(anywhere),
      literal: share(anywhere.map(Math.floor)),
      passage: weighPassages(shares),
    };
  });
}

interface PassageShare {
  share: number;
  /** Number of words. */
  length: number;
}

/** Weights of the best passage, of the best one for its length, and of the mean of the best three. */
const passageShares = { best: 0.4, dense: 0.3, mean: 0.3 };
/** A passage of this length counts in full; one that is longer by `sparse` words counts half. */
const dense = 8;
const sparse = 25;

/** A long passage contains some of the words by chance. */
function weighPassages(passages: readonly PassageShare[]): number {
  const [first = 0, second = 0, third = 0] = passages.map(({ share }) => share).toSorted((a, b) => b - a);
  const densest = passages.reduce(
    (most, { share, length }) => Math.max(most, share / (1 + Math.max(0, length - dense) / sparse)),
    0,
  );
  const mean = (first + second + third) / 3;
  return passageShares.best * first + passageShares.dense * densest + passageShares.mean * mean;
}

interface TermValue {
  term: number;
  value: number;
}

/** For each stem, the terms it stands for. */
function listValues(terms: readonly MatchTerm[]): Map<string, TermValue[]> {
  const values = new Map<string, TermValue[]>();
  const add = (stem: string, term: number, value: number): void => {
    const list = values.get(stem) ?? [];
    list.push({ term, value });
    values.set(stem, list);
  };
  terms.forEach(({ stem, synonyms }, term) => {
    add(stem, term, 1);
    for (const [synonym, value] of synonyms) add(synonym, term, value);
  });
  return values;
}

interface Passage {
  /** Words that begin like a wanted one; parts of identifiers are words of their own. */
  words: string[];
  /** Number of all its words. */
  length: number;
}

/** The lines and sentences of a text. */
function listPassages(text: string, beginnings: ReadonlySet<number>): Passage[] {
  if (otherScript.test(text)) return listSegmented(text, beginnings);
  let passage: Passage = { words: [], length: 0 };
  const passages = [passage];
  let start = -1;
  const end = (at: number): void => {
    if (start >= 0) {
      const word = text.slice(start, at).toLowerCase();
      if (beginnings.has(beginningOf(word))) passage.words.push(word);
      passage.length += 1;
    }
    start = -1;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isWordCode(code)) {
      if (start >= 0 && isCapital(code) && !isCapital(text.charCodeAt(at - 1))) end(at);
      if (start < 0) start = at;
      continue;
    }
    end(at);
    if (code === newline || (sentenceEnds.has(code) && text.charCodeAt(at + 1) <= space)) {
      passage = { words: [], length: 0 };
      passages.push(passage);
    }
  }
  end(text.length);
  return passages;
}

function listSegmented(text: string, beginnings: ReadonlySet<number>): Passage[] {
  return text.split(/\n+|(?<=[.!?])\s+|(?<=[。！？])/u).map((passage) => {
    const words = [...listWords(segment(passage)), ...listMeanings(passage)];
    return { words: words.filter((word) => beginnings.has(beginningOf(word))), length: words.length };
  });
}

/** Letters of scripts that the index cuts into pairs, or that have no capitals. */
const otherScript = /[\u0250-\u1fff\u2e80-\uffff]/;
const newline = 10;
const space = 32;
const sentenceEnds: ReadonlySet<number> = new Set([33, 46, 63]);

/** Letters and digits of ASCII, and letters of other Latin alphabets. */
function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    (code >= 0xc0 && code < 0x250)
  );
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

/** The first three characters as a number. Words with the same stem have the same beginning. */
function beginningOf(word: string): number {
  return (word.charCodeAt(0) << 20) ^ ((word.charCodeAt(1) || 0) << 10) ^ (word.charCodeAt(2) || 0);
}
