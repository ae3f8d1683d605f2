import { isStopWord, listWords, splitIdentifiers } from "./words.ts";

/** What somebody looks for: words any of which may match, phrases that must, words that may not. */
export interface Query {
  /** What is asked, without what is excluded: for its meaning. */
  text: string;
  words: string[];
  phrases: string[][];
  excluded: string[][];
  /** That one of the words which somebody is still typing: whatever begins so is meant, too. */
  unfinished?: string;
  /** Somebody's prompt waits for the answer: the rarest words must do. */
  isHurried?: true;
}

const mostWords = 48;
const mostBesideOperators = 3;
/** What begins with one letter or two is nearly everything, and takes as long to find. */
const leastUnfinished = 3;

/** Any text at all is a query; nothing is an error. `"exact phrase"`, `-not`, `-"not this"`. */
export function parseQuery(text: string): Query {
  const phrases: string[][] = [];
  const excluded: string[][] = [];
  const rest = text
    .slice(0, 8_000)
    .replace(/(^|\s)(-?)"([^"]*)"/g, (_whole, _space, minus: string, phrase: string) => {
      const words = listWords(phrase);
      if (words.length > 0) (minus ? excluded : phrases).push(words);
      return " ";
    });
  const wanted = rest.replace(/(^|\s)-([\p{L}\p{N}][^\s]*)/gu, (_whole, _space, word: string) => {
    excluded.push(listWords(word));
    return " ";
  });
  const words = chooseWords(wanted);
  // In a whole sentence quotation marks quote and "-m" is a flag; only beside a few words do they mean what we offer.
  if (words.length > mostBesideOperators) return readPlain(text.replaceAll('"', " "));
  const said = [wanted, ...phrases.map((phrase) => phrase.join(" "))].join(" ");
  return { text: said, words, phrases, excluded };
}

/** The same while it is being typed: its last word may go on. */
export function parseTyping(text: string): Query {
  const query = parseQuery(text);
  const last = /[\p{L}\p{N}]+$/u.exec(text.toLowerCase())?.[0] ?? "";
  const isUnfinished = last.length >= leastUnfinished && query.words.includes(last);
  return isUnfinished ? { ...query, unfinished: last } : query;
}

/** A prompt is not a query language, and waits for the answer. */
export function parsePrompt(text: string): Query {
  return { ...readPlain(text), isHurried: true };
}

/** Whatever marks it holds are just text. */
function readPlain(text: string): Query {
  const read = text.slice(0, 8_000);
  return { text: read, words: chooseWords(read), phrases: [], excluded: [] };
}

/** Stop words go, unless nothing else was said. */
function chooseWords(text: string): string[] {
  const all = listWords(text);
  const telling = all.filter((word) => !isStopWord(word));
  const chosen =
    telling.length > 0 ? [...telling, ...splitIdentifiers(text).filter((word) => !isStopWord(word))] : all;
  return [...new Set(chosen)].slice(0, mostWords);
}
