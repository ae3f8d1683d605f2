import { segment } from "./segment.ts";
import { listWords } from "./words.ts";

/** A word of the query. */
export interface MatchTerm {
  stem: string;
  /** Stems of words that are used for the same thing. */
  synonyms: readonly string[];
  /** Rare words weigh more. */
  weight: number;
}

/** How much of a query a text contains; 1 is all of it. */
export interface WordMatch {
  /** Anywhere in the text. */
  coverage: number;
  /** Within one sentence or line: words that belong together stand together. */
  passage: number;
}

/** Value of a synonym relative to the word itself. */
const synonymShare = 0.5;
/** Characters compared per text. */
const maxLetters = 6_000;

/** Compares texts with the words of a query, any inflection and synonyms included. */
export function matchWords(
  terms: readonly MatchTerm[],
  texts: readonly string[],
  stem: (words: readonly string[]) => string[],
): WordMatch[] {
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return texts.map(() => ({ coverage: 0, passage: 0 }));
  const wanted = listValues(terms);
  const beginnings = new Set([...wanted.keys()].map(beginningOf));
  const read = texts.map((text) => listPassages(text.slice(0, maxLetters), beginnings));
  const words = [...new Set(read.flat(2))];
  const stems = stem(words);
  const valuesOf = new Map(words.map((word, n) => [word, wanted.get(stems[n] ?? word)]));
  const share = (best: Float64Array): number =>
    terms.reduce((sum, { weight }, n) => sum + weight * (best[n] as number), 0) / total;
  return read.map((passages) => {
    const anywhere = new Float64Array(terms.length);
    let passage = 0;
    for (const inPassage of passages) {
      const best = new Float64Array(terms.length);
      for (const word of inPassage)
        for (const { term, value } of valuesOf.get(word) ?? []) {
          if (value > (best[term] as number)) best[term] = value;
          if (value > (anywhere[term] as number)) anywhere[term] = value;
        }
      passage = Math.max(passage, share(best));
    }
    return { coverage: share(anywhere), passage };
  });
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
    for (const synonym of synonyms) add(synonym, term, synonymShare);
  });
  return values;
}

/** The words of each line or sentence that begin like a wanted word; parts of identifiers are words of their own. */
function listPassages(text: string, beginnings: ReadonlySet<number>): string[][] {
  if (otherScript.test(text)) return listSegmented(text, beginnings);
  const passages: string[][] = [[]];
  let start = -1;
  const end = (at: number): void => {
    if (start >= 0) {
      const word = text.slice(start, at).toLowerCase();
      if (beginnings.has(beginningOf(word))) passages.at(-1)?.push(word);
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
    if (code === newline || (sentenceEnds.has(code) && text.charCodeAt(at + 1) <= space)) passages.push([]);
  }
  end(text.length);
  return passages;
}

function listSegmented(text: string, beginnings: ReadonlySet<number>): string[][] {
  return text
    .split(/\n+|(?<=[.!?])\s+|(?<=[。！？])/u)
    .map((passage) => listWords(segment(passage)).filter((word) => beginnings.has(beginningOf(word))));
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
