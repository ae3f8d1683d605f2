import { readPromptTopic } from "./prompt-topic.ts";
import { segment } from "./segment.ts";
import { beginningOfForms, detectLanguage, dropStopWords } from "./stop-words.ts";
import { listWords, splitIdentifiers } from "./words.ts";

/** A parsed search: any of the words may match, phrases must, excluded words must not. */
export interface Query {
  /** The question without its exclusions, to compare by meaning. */
  text: string;
  words: string[];
  /** Of words in a language that the index does not stem: the beginning that their forms share. */
  forms?: Record<string, string>;
  phrases: string[][];
  excluded: string[][];
  /** That one of the words which somebody is still typing: whatever begins so is meant, too. */
  unfinished?: string;
  /** Somebody's prompt waits for the answer: the rarest words must do. */
  isHurried?: true;
}

const maxWords = 48;
const maxBesideOperators = 3;
/** What begins with one letter or two is nearly everything, and takes as long to find. */
const minUnfinished = 3;

/** Any text at all is a query; nothing is an error. `"exact phrase"`, `-not`, `-"not this"`. */
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
  // In a whole sentence quotation marks quote and "-m" is a flag; only beside a few words do they mean what we offer.
  if (chosen.words.length > maxBesideOperators) return readPlain(text.replaceAll('"', " "));
  const said = [wanted, ...phrases.map((phrase) => phrase.join(" "))].join(" ");
  return { text: said, ...chosen, phrases, excluded };
}

/** The same while it is being typed: its last word may go on. */
export function parseTyping(text: string): Query {
  const query = parseQuery(text);
  const last = /[\p{L}\p{N}]+$/u.exec(text.toLowerCase())?.[0] ?? "";
  const isUnfinished = last.length >= minUnfinished && query.words.includes(last);
  return isUnfinished ? { ...query, unfinished: last } : query;
}

/** A prompt, whose hook waits for the answer; undefined if there is nothing to look for. */
export function parsePrompt(prompt: string): Query | undefined {
  const topic = readPromptTopic(prompt, (text) => chooseWords(text).words);
  return topic === undefined ? undefined : { ...readPlain(topic), isHurried: true };
}

/** Whatever marks it holds are just text. */
function readPlain(text: string): Query {
  const read = text.slice(0, 8_000);
  return { text: read, ...chooseWords(read), phrases: [], excluded: [] };
}

/** "doesn't" and "it's" are two function words. */
const contraction =
  /\b(?:ca|wo|do|does|did|is|are|was|were|has|have|had|could|should|would|must)n['’]t\b|['’](?:s|re|ve|ll|d|m)\b/giu;

function chooseWords(text: string): Pick<Query, "words" | "forms"> {
  const segmented = segment(text.replace(contraction, " "));
  const all = listWords(segmented);
  const language = detectLanguage(all);
  const informative = dropStopWords(all, language);
  const pieces = dropStopWords(splitIdentifiers(segmented), language);
  const words = [...new Set([...informative, ...pieces])].slice(0, maxWords);
  const forms = words.flatMap((word) => {
    const beginning = beginningOfForms(word, language);
    return beginning === undefined ? [] : [[word, beginning]];
  });
  return forms.length === 0 ? { words } : { words, forms: Object.fromEntries(forms) };
}
