import { isStopWord, listWords } from "../words.ts";
import type { Scored } from "./scorer.ts";
import { makeTitle } from "./title.ts";

/** The material that the title of a note is compared with. */
interface TitleContext {
  /** The statements of the message, in order. */
  message: readonly Scored[];
  request: string;
  /** Whether the turn edited files. */
  isWork: boolean;
}

const conclusion =
  /^\W*(?:conclusions?|bottom line|(?:the )?(?:real |actual )?(?:root )?cause|(?:my |the )?recommendation|short answer|in short|tl;?dr|verdict|(?:the )?answer|net effect|result)\b/i;
const aside =
  /^.{0,25}\b(?:incidentally|also|relevant|worth (?:flagging|noting|a)|another|by the way|side note|separately|minor|unrelated|nit|bonus|additionally|one more)\b|^(?:re:|found in code|as for|regarding|for (?:context|reference)|fyi|note:)/i;
const refersBack = /\b(?:it|this|them|these|those|here|the same|that one|as above)\b/i;
const newState = /\bnow\b|\bno longer\b|\binstead\b/i;
const editVerb =
  /^\W*(?:i(?:'ve| have)? )?(?:added|updated|removed|created|renamed|moved|replaced|changed|fixed|implemented)\b/i;

/**
 * Ranks the statements of a message by how well each sums up the note. The weights come from a regression on readers'
 * choices (`tests/labels/titles.jsonl`): a good title repeats the words of the request and of the rest of the message,
 * stands near the beginning, and is a whole sentence without references.
 */
export function makeTitleRank({ message, request, isWork }: TitleContext): (one: Scored) => number {
  const asked = contentWords(request.slice(0, 600));
  const told = message.filter(({ place }) => place !== "heading");
  const items = message.filter(({ place }) => place === "bullet" || place === "row").length;
  const counts = new Map<string, number>();
  for (const { text } of message)
    for (const word of contentWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);

  return (one) => {
    const title = makeTitle(one);
    const bare = title.replace(/`[^`]*`/g, "X");
    const own = [...contentWords(title)];
    const size = title.split(/\s+/).length;
    const common = own.filter((word) => asked.has(word)).length;
    const repeats = own.reduce((sum, word) => sum + ((counts.get(word) ?? 1) - 1), 0);
    const place = told.indexOf(one);
    const cues: [number, boolean][] = [
      [0.5, one.place === "heading"],
      [0.4, place === 1],
      [0.3, place >= 0 && place <= 3],
      [-0.15, one.place === "row" || (one.place === "bullet" && items >= 3)],
      [-0.7, size < 6],
      [-0.5, title.endsWith("…")],
      [0.5, newState.test(bare)],
      [0.4, isWork && editVerb.test(one.text)],
      [0.5, conclusion.test(one.text)],
      [-0.8, aside.test(one.text)],
      [-0.5, refersBack.test(bare)],
    ];
    return (
      0.25 * logit(one.clear) +
      0.1 * logit(one.useful) +
      0.3 * logit(one.worth) +
      0.8 * Math.min(1, common / Math.max(1, Math.min(4, asked.size))) +
      (2.4 * repeats) / Math.max(1, own.length) / Math.max(1, message.length - 1) +
      0.55 * Math.min(1.3, size / 15) -
      (0.3 * Math.max(0, place)) / Math.max(1, message.length) +
      cues.reduce((sum, [weight, holds]) => sum + (holds ? weight : 0), 0)
    );
  };
}

function logit(probability: number): number {
  const bounded = Math.min(0.99, Math.max(0.01, probability));
  return Math.log(bounded / (1 - bounded));
}

function contentWords(text: string): Set<string> {
  return new Set(
    listWords(text)
      .filter((word) => word.length > 2 && !isStopWord(word))
      .map((word) => word.slice(0, 6)),
  );
}
