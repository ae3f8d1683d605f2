import type { Query } from "../domain/memory/query.ts";
import { segment } from "../domain/memory/segment.ts";
import { makeSnippet } from "../domain/memory/snippet.ts";
import { listWords, splitIdentifiers } from "../domain/memory/words.ts";
import type { RowText } from "./memory-text.ts";
import type { Stemmer } from "./stemmer.ts";
import type { WordCounts } from "./word-counts.ts";

export interface Explained {
  snippet: string;
  /** The query's words that stand in it. */
  matched: string[];
  /** How much of what was asked it speaks of: 1 is all, rare words count more. */
  coverage: number;
}

interface WeighedWord {
  word: string;
  stem: string;
  weight: number;
}

/** Says of each text what of the query it has. */
export function makeExplainer(
  query: Query,
  counts: WordCounts,
  stemmer: Stemmer,
): (text: RowText) => Explained {
  const total = counts.total();
  const { unfinished } = query;
  // A word that no row has weighs as much as the rarest: what is asked for and not there counts against a hit.
  const asked = [...query.words, ...query.phrases.flat()];
  const stems = stemmer.stem(asked);
  const words: WeighedWord[] = asked.map((word, n) => ({
    word,
    stem: stems[n] ?? word,
    weight: Math.log(1 + total / (1 + counts.rowsWith(word))),
  }));
  // Words of one stem begin alike: only those are worth asking the stemmer about.
  const beginnings = new Set(asked.map(beginningOf));
  const forms =
    query.forms &&
    Object.fromEntries(Object.entries(query.forms).map(([word, begin]) => [word, foldAccents(begin)]));

  return ({ title, body }) => {
    const text = segment(`${title} ${body}`);
    const present = new Set([...listWords(text), ...splitIdentifiers(text)]);
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

/** As the index's tokenizer does. */
function foldAccents(word: string): string {
  return word.normalize("NFD").replace(/\p{M}/gu, "");
}

function beginningOf(word: string): string {
  return word.slice(0, 3);
}
