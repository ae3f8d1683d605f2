import { isStopWord, listWords } from "../words.ts";
import type { Scored } from "./scorer.ts";
import { makeTitle, maxWhole } from "./title.ts";

/** The material that the title of a note is compared with. */
interface TitleContext {
  /** The statements of the message, in order. */
  message: readonly Scored[];
  request: string;
}

const announcement =
  /^(?:looking at|here'?s|let me|take a look|now|i (?:see|need|want|can)|you (?:can|could|now)|we (?:can|could))\b/i;
/** Openings of statements that are one of several points, or take up something said before. */
const partial =
  /^(?:each|at (?:minimum|least)|main (?:tradeoffs?|changes)|depends on|the fact that|in (?:that|this|which) case|i(?:['’]ve| have)? (?:also )?(?:verified|reviewed|checked|confirmed|traced|moved|kept)|(?:yes|no),? (?:and|but)|your|another|the (?:other|only|second|third|remaining)|for (?:example|instance)|then|currently|right now|new logic|if (?:either|both|so|not)|angle \w|none of the|(?:task|step|phase|prs?|section) #?\d+)\b/i;
/** A line of code that is not complete. */
const brokenCode = /[{<[(]`?$|`[^`]*[{<[]\s*`?$/;
/** Ends where a value or an object is missing. */
const unfinished =
  /\b(?:an?|and|at|because|but|by|for|from|if|in|is|are|it|of|or|should we|so|than|that|the|to|we|when|which|with)$/i;
const newState = /\bnow\b|\bno longer\b|\binstead\b/i;
const negation = /\b(?:not|never|no|doesn'?t|isn'?t|can'?t|won'?t|without|missing|fails?|wrong)\b/i;
/** Headings of sections that report no result. */
const sideHeading = /verif|test|check|next|file|note|caveat|minor|observ|option|alternat/i;
/** The same for lines that introduce a list. */
const sideLead = /verif|test|file|next|option|also|could|note/i;
const severe = /^(?:critical|high|blocker|major)\b/i;

/**
 * Ranks the statements of a message by how well each sums up the note. The weights come from a listwise regression on
 * readers' choices (`tests/labels/titles.jsonl`): a good title has many content words, shares them with the request and
 * with the rest of the message, stands near the beginning, and says how things are rather than what comes next.
 */
export function makeTitleRank({ message, request }: TitleContext): (one: Scored) => number {
  const asked = contentWords(request.slice(0, 600));
  const told = message.filter(({ place }) => place !== "heading");
  const counts = new Map<string, number>();
  for (const { text } of message)
    for (const word of contentWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);

  return (one) => {
    const title = makeTitle(one, maxWhole);
    const bare = title.replace(/`[^`]*`/g, "X");
    const own = [...contentWords(title)];
    const size = Math.max(1, own.length);
    const common = own.filter((word) => asked.has(word)).length;
    const repeats = own.reduce((sum, word) => sum + ((counts.get(word) ?? 1) - 1), 0);
    const repeated = own.filter((word) => (counts.get(word) ?? 0) > 1).length;
    const cues: [number, boolean][] = [
      [0.37, one.place === "heading"],
      [-0.38, one.place === "bullet"],
      [-1, one.place === "row"],
      [0.59, /[:：]$|`[^`]*[{(]$/.test(one.text)],
      [-0.67, /→|->/.test(title)],
      [-1.2, title.endsWith("…") || brokenCode.test(title) || unfinished.test(title)],
      [-1.29, /^[~\d#]/.test(title)],
      [-1.11, announcement.test(bare)],
      [-0.8, partial.test(bare)],
      [0.65, newState.test(bare)],
      [0.2, negation.test(bare)],
      [1.86, severe.test(bare)],
      [-0.59, sideHeading.test(one.heading)],
      [-0.75, sideLead.test(one.lead)],
    ];
    return (
      0.2 * logit(one.worth) +
      0.26 * logit(one.clear) +
      0.0091 * title.length +
      0.081 * own.length -
      0.052 * told.indexOf(one) -
      (0.68 * title.length) / Math.max(20, one.text.length) +
      (2.88 * repeats) / size / Math.max(1, message.length - 1) +
      (0.42 * repeated) / size +
      0.136 * common +
      (0.43 * common) / Math.max(1, Math.min(4, asked.size)) +
      cues.reduce((sum, [weight, holds]) => sum + (holds ? weight : 0), 0)
    );
  };
}

function logit(probability: number): number {
  const bounded = Math.min(0.99, Math.max(0.01, probability));
  return Math.log(bounded / (1 - bounded));
}

export function contentWords(text: string): Set<string> {
  return new Set(
    listWords(text)
      .filter((word) => word.length > 2 && !isStopWord(word))
      .map((word) => word.slice(0, 6)),
  );
}
