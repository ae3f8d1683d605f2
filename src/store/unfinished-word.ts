import { quote } from "./memory-match.ts";
import type { Stemmer } from "./stemmer.ts";

/** How words may go on whose stem is shorter than what is typed of them. */
const endings = (
  "s es e ed er ers ing ings ion ions ation ations ational ization ate ates ated ating ative ator ize izes ized izing ive ively " +
  "iveness ment ments ement ness able ably ability ible ibly ibility ance ence ancy ency al ally ality ous ously ity ities ful " +
  "fully less ism ist ly y ies ied"
).split(" ");

const leastStem = 3;

/**
 * What the index is asked for a word that somebody is typing: what begins so, and, because it holds stems alone, the stems
 * that the whole word may have. "migrati" begins nothing there; "migrat", of "migration", is what is meant.
 */
export function matchUnfinished(word: string, stemmer: Stemmer): string {
  const whole = endings.flatMap((ending) =>
    Array.from(ending, (_, at) => at)
      .filter((at) => word.endsWith(ending.slice(0, at)))
      .map((at) => word + ending.slice(at)),
  );
  const stems = stemmer
    .stem(whole)
    .filter((stem) => stem.length >= leastStem && stem.length < word.length && word.startsWith(stem));
  return `(${[`${quote(word)} *`, ...[...new Set(stems)].map(quote)].join(" OR ")})`;
}
