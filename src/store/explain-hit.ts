import type { Query } from "../domain/memory/query.ts";
import { listMeanings } from "../domain/memory/lexicon.ts";
import { segment } from "../domain/memory/segment.ts";
import { makeSnippet } from "../domain/memory/snippet.ts";
import { listWords, splitIdentifiers } from "../domain/memory/words.ts";
import { type RowText, searchedText } from "./memory-text.ts";
import type { Stemmer, WordCounts } from "./index-words.ts";

export interface HitExplanation {
  snippet: string;
  /** Words of the query that occur in it. */
  matched: string[];
  /** How much of the query it covers: 1 is all of it; rare words count more. */
  coverage: number;
}

interface WeighedWord {
  word: string;
  stem: string;
  weight: number;
}

/** Explains which parts of the query each text matches. */
export function makeExplainer(
  query: Query,
  counts: WordCounts,
  stemmer: Stemmer,
): (text: RowText) => HitExplanation {
  const total = counts.total();
  const { unfinished } = query;
  // A word that is in no row weighs as much as the rarest one, so that a missing word counts against a hit.
  const asked = [...query.words, ...query.phrases.flat()];
  const stems = stemmer.stem(asked);
  const words: WeighedWord[] = asked.map((word, n) => ({
    word,
    stem: stems[n] ?? word,
    weight: Math.log(1 + total / (1 + counts.rowsWith(word))),
  }));
  // Words with the same stem have the same beginning: only those need the stemmer.
  const beginnings = new Set(asked.map(beginningOf));
  const forms =
    query.forms &&
    Object.fromEntries(Object.entries(query.forms).map(([word, begin]) => [word, foldAccents(begin)]));

  return (read) => {
    const body = searchedText(read);
    const text = segment(`${read.title} ${body}`);
    const meanings = listMeanings(`${read.title} ${body}`);
    const present = new Set([...listWords(text), ...splitIdentifiers(text), ...meanings]);
    const alike = new Set(stemmer.stem([...present].filter((word) => beginnings.has(beginningOf(word)))));
    const folded = forms && [...present].map(foldAccents);
    const hasForm = (word: string): boolean => {
      const beginning = forms?.[word];
      return beginning !== undefined && (folded?.some((other) => other.startsWith(beginning)) ?? false);
    };
    const isThere = ({ word, stem }: WeighedWord): boolean =>
      present.has(word) || alike.has(stem) || hasForm(word);
    const goneOn = unfinished && [...present].find((other) => other.startsWith(unfinished));
    const matched = words.filter((one) => isThere(one) || (goneOn && one.word === unfinished));
    const coverage = words.length === 0 ? 0 : sumOf(matched) / sumOf(words);
    const names = matched.map(({ word }) => (goneOn && word === unfinished ? goneOn : word));
    return { matched: names, coverage, snippet: makeSnippet(body, names) };
  };
}

function sumOf(words: readonly WeighedWord[]): number {
  return words.reduce((total, { weight }) => total + weight, 0);
}

/** Same folding as the index's tokenizer. */
function foldAccents(word: string): string {
  return word.normalize("NFD").replace(/\p{M}/gu, "");
}

function beginningOf(word: string): string {
  return word.slice(0, 3);
}
