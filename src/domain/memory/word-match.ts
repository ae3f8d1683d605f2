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

/** A text in two parts. */
export interface MatchText {
  /** Its title or, for a turn, the prompt. */
  lead: string;
  /** Its body or, for a turn, the answer. */
  said: string;
}

/** How much of a query a text contains; 1 is all of it. A passage is a sentence or a line. */
export interface WordMatch {
  /** Anywhere in the text. */
  coverage: number;
  /** The same without synonyms. */
  literal: number;
  /** In any of the texts that were compared: a query about something else has words that none of them contains. */
  known: number;
  /** In the best passage: words that belong together stand together. */
  passage: number;
  /** In the best passage for its length: a long one contains words by chance. */
  dense: number;
  /** The mean of the best three passages: several say more about it than one. */
  mean: number;
  /** In the best two consecutive passages. */
  pair: number;
  /** In the best passage of each part. */
  lead: number;
  said: number;
  /** BM25 of the words and their synonyms. */
  frequency: number;
  /** Number of words and passages of the text. */
  words: number;
  passages: number;
}

const noMatch: WordMatch = {
  coverage: 0,
  literal: 0,
  known: 0,
  passage: 0,
  dense: 0,
  mean: 0,
  pair: 0,
  lead: 0,
  said: 0,
  frequency: 0,
  words: 0,
  passages: 0,
};

/** Characters compared per part of a text. */
const maxLetters = { lead: 3_000, said: 8_000 };

/** Compares texts with the words of a query, any inflection and synonyms included. */
export function matchWords(
  terms: readonly MatchTerm[],
  texts: readonly MatchText[],
  stem: (words: readonly string[]) => string[],
): WordMatch[] {
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return texts.map(() => noMatch);
  const wanted = listValues(terms);
  const beginnings = new Set([...wanted.keys()].map(beginningOf));
  const read = texts.map(({ lead, said }) => ({
    lead: listPassages(lead.slice(0, maxLetters.lead), beginnings),
    said: listPassages(said.slice(0, maxLetters.said), beginnings),
  }));
  const words = [
    ...new Set(read.flatMap(({ lead, said }) => [...lead, ...said].flatMap((passage) => passage.words))),
  ];
  const stems = stem(words);
  const valuesOf = new Map(words.map((word, n) => [word, wanted.get(stems[n] ?? word)]));
  const meanLength = read.reduce((sum, text) => sum + countWords(text), 0) / Math.max(1, read.length);
  const inAnyText = new Float64Array(terms.length);
  const matches = read.map((text) => matchText(text, { terms, total, valuesOf, meanLength, inAnyText }));
  const known = sumWeights(terms, inAnyText) / total;
  return matches.map((match) => ({ ...match, known }));
}

interface Comparison {
  terms: readonly MatchTerm[];
  total: number;
  valuesOf: ReadonlyMap<string, TermValue[] | undefined>;
  meanLength: number;
  /** The best value of each term; every text adds its own. */
  inAnyText: Float64Array;
}

function sumWeights(terms: readonly MatchTerm[], values: Float64Array): number {
  return terms.reduce((sum, { weight }, n) => sum + weight * (values[n] as number), 0);
}

interface ReadText {
  lead: Passage[];
  said: Passage[];
}

function countWords({ lead, said }: ReadText): number {
  return [...lead, ...said].reduce((sum, { length }) => sum + length, 0);
}

/** A passage of this length counts in full; one that is longer by `sparse` words counts half. */
const dense = 8;
const sparse = 25;
/** As in BM25: the saturation of repeated words, and the penalty for long texts. */
const saturation = 1.2;
const lengthShare = 0.75;

function matchText(text: ReadText, { terms, total, valuesOf, meanLength, inAnyText }: Comparison): WordMatch {
  const anywhere = new Float64Array(terms.length);
  const times = new Float64Array(terms.length);
  const match = { ...noMatch, words: countWords(text) };
  const shares: number[] = [];
  let before: Float64Array | undefined;
  const share = (best: Float64Array): number => sumWeights(terms, best) / total;
  for (const part of ["lead", "said"] as const)
    for (const { words, length } of text[part]) {
      if (length === 0) continue;
      match.passages += 1;
      if (words.length === 0) {
        before = undefined;
        continue;
      }
      const best = new Float64Array(terms.length);
      for (const word of words)
        for (const { term, value } of valuesOf.get(word) ?? [])
          if (value > (best[term] as number)) best[term] = value;
      best.forEach((value, term) => {
        times[term]! += value;
        if (value > (anywhere[term] as number)) anywhere[term] = value;
      });
      const own = share(best);
      shares.push(own);
      match[part] = Math.max(match[part], own);
      match.dense = Math.max(match.dense, own / (1 + Math.max(0, length - dense) / sparse));
      const beside = before;
      match.pair = Math.max(
        match.pair,
        beside ? share(best.map((value, n) => Math.max(value, beside[n] as number))) : own,
      );
      before = best;
    }
  anywhere.forEach((value, term) => {
    if (value > (inAnyText[term] as number)) inAnyText[term] = value;
  });
  const [first = 0, second = 0, third = 0] = shares.toSorted((a, b) => b - a);
  const slowness = saturation * (1 - lengthShare + (lengthShare * match.words) / Math.max(1, meanLength));
  return {
    ...match,
    coverage: share(anywhere),
    literal: share(anywhere.map(Math.floor)),
    passage: first,
    mean: (first + second + third) / 3,
    frequency: terms.reduce((sum, { weight }, n) => {
      const count = times[n] as number;
      return sum + (weight * count) / (count + slowness);
    }, 0),
  };
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
