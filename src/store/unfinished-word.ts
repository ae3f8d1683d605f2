import { quote } from "./memory-match.ts";
import type { Stemmer } from "./stemmer.ts";

/** Possible endings of words whose stem is shorter than the typed part. */
const endings = (
  "s es e ed er ers ing ings ion ions ation ations ational ization ate ates ated ating ative ator ize izes ized izing ive ively " +
  "iveness ment ments ement ness able ably ability ible ibly ibility ance ence ancy ency al ally ality ous ously ity ities ful " +
  "fully less ism ist ly y ies ied"
).split(" ");

const minStem = 3;

/**
 * Builds the match for a word that is still being typed: words with this prefix and, because the index only contains
 * stems, the stems of its possible completions. No stem starts with "migrati", but "migration" has the stem "migrat".
 */
export function matchUnfinished(word: string, stemmer: Stemmer): string {
  const whole = endings.flatMap((ending) =>
    Array.from(ending, (_, at) => at)
      .filter((at) => word.endsWith(ending.slice(0, at)))
      .map((at) => word + ending.slice(at)),
  );
  const stems = stemmer
    .stem(whole)
    .filter((stem) => stem.length >= minStem && stem.length < word.length && word.startsWith(stem));
  return `(${[`${quote(word)} *`, ...[...new Set(stems)].map(quote)].join(" OR ")})`;
}
