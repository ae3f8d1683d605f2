import { listMeanings } from "./lexicon.ts";
import { readPromptTopic } from "./prompt-topic.ts";
import { segment } from "./segment.ts";
import { commonPrefix, detectLanguage, dropStopWords } from "./stop-words.ts";
import { listWords, splitIdentifiers } from "./words.ts";

/** A parsed search: any of the words may match, phrases must match, excluded words must not. */
export interface Query {
  /** The question without exclusions, for comparison by meaning. */
  text: string;
  words: string[];
  /** For words in a language that the index does not stem: the common prefix of their forms. */
  forms?: Record<string, string>;
  phrases: string[][];
  excluded: string[][];
  /** The word that is still being typed: matches any word with this prefix. */
  unfinished?: string;
  /** A prompt is waiting for the answer: only the rarest words are used. */
  isHurried?: true;
}

const maxWords = 48;
const maxBesideOperators = 3;
/** Phrases and exclusions each; every one nests the match expression deeper, and SQLite's parser has a limited stack. */
const maxOperators = 20;
/** Shorter prefixes match nearly everything and are slow. */
const minUnfinished = 3;
const maxUnfinished = 200;

/** Any text is a valid query. Supports `"exact phrase"`, `-not` and `-"not this"`. */
export function parseQuery(text: string): Query {
  const phrases: string[][] = [];
  const excluded: string[][] = [];
  const rest = text
    .slice(0, 8_000)
    .replace(/(^|\s)(-?)"([^"]*)"/g, (_whole, _space, minus: string, phrase: string) => {
      const words = listWords(segment(phrase));
      if (words.length > 0) (minus ? excluded : phrases).push(words);
      return " ";
    });
  const wanted = rest.replace(/(^|\s)-([\p{L}\p{N}][^\s]*)/gu, (_whole, _space, word: string) => {
    excluded.push(listWords(segment(word)));
    return " ";
  });
  const chosen = chooseWords(wanted);
  // In a full sentence, quotation marks quote and "-m" is a flag; they are operators only next to a few words.
  if (chosen.words.length > maxBesideOperators) return readPlain(text.replaceAll('"', " "));
  const said = [wanted, ...phrases.map((phrase) => phrase.join(" "))].join(" ");
  return {
    text: said,
    ...chosen,
    phrases: phrases.slice(0, maxOperators),
    excluded: excluded.slice(0, maxOperators),
  };
}

/** A query that is still being typed: its last word may be incomplete. */
export function parseTyping(text: string): Query {
  const query = parseQuery(text);
  // Only the end is searched: each letter of a long word is another place to start.
  const last = /[\p{L}\p{N}]+$/u.exec(text.slice(-maxUnfinished).toLowerCase())?.[0] ?? "";
  const isUnfinished = last.length >= minUnfinished && query.words.includes(last);
  return isUnfinished ? { ...query, unfinished: last } : query;
}

/** A query for a prompt, whose hook waits for the answer; undefined if there is nothing to search for. */
export function parsePrompt(prompt: string): Query | undefined {
  const topic = readPromptTopic(prompt, (text) => chooseWords(text).words);
  return topic === undefined ? undefined : { ...readPlain(topic), isHurried: true };
}

/** Treats operators as plain text. */
function readPlain(text: string): Query {
  const read = text.slice(0, 8_000);
  return { text: read, ...chooseWords(read), phrases: [], excluded: [] };
}

/** "doesn't" and "it's" are two function words each. */
const contraction =
  /\b(?:ca|wo|do|does|did|is|are|was|were|has|have|had|could|should|would|must)n['’]t\b|['’](?:s|re|ve|ll|d|m)\b/giu;

function chooseWords(text: string): Pick<Query, "words" | "forms"> {
  const segmented = segment(text.replace(contraction, " "));
  const all = listWords(segmented);
  const language = detectLanguage(all);
  const informative = dropStopWords(all, language);
  const pieces = dropStopWords(splitIdentifiers(segmented), language);
  const meanings = listMeanings(text);
  const words = [...new Set([...informative, ...pieces, ...meanings])].slice(0, maxWords);
  const forms = words.flatMap((word) => {
    const beginning = commonPrefix(word, language);
    return beginning === undefined ? [] : [[word, beginning]];
  });
  return forms.length === 0 ? { words } : { words, forms: Object.fromEntries(forms) };
}
