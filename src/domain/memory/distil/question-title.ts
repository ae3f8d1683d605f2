import type { TurnRecord } from "../turn-record.ts";
import { contentWords } from "./rank-title.ts";
import type { Scored } from "./scorer.ts";
import { listSentences } from "./sentences.ts";
import { capitalise, makeTitle, maxWhole, shortenTitle } from "./title.ts";

const leadIn =
  /^(?:(?:ok(?:ay)?|so|and|but|or|also|hm+|well|q|(?:quick )?question|follow[- ]?up|btw|yeah|yes|no|right|cool|great|thanks|alright|now|then|actually|wait|oh|ah)[\s,.:!…—–-]+)+/i;
/** "Can you explain why …?": the clause names the subject. */
const indirect =
  /^(?:can|could|would|will) (?:you|we) (?:please )?(?:also )?(?:explain|tell|show|describe|clarify|check|find out|figure out|look into|investigate|see)(?: (?:to )?(?:me|us))? (?=(?:why|how|where|what|when|whether|which)\b)/i;
/** Words whose meaning is in another message, requests to the agent, and questions about its work. */
const refers =
  /\b(?:it|its|this|these|those|they|them|here|above|below|same|ones?|both|others?|else|again|you|your|i|my|me|step|phase|task|option|plan|pr|branch|tests? pass|commit(?:ted)?|push(?:ed)?|review|todo|agents? (?:still )?(?:running|working|done)|that(?= (?:one|way|case|part|file|change|mean)\b|['’]s|[,.?]|$))\b|\b(?:is|does|was|would|will|can|did|do|has) that\b|(?<!\b(?:is|are|was|were) )\bthere\b|#\d|https?:|\[image|[⏺⎿❯]/i;
const maxQuestion = 80;
const minQuestionWords = 4;
const minAnswer = 34;
const minAnswerWords = 4;
const yesOrNo =
  /^(?:yes|yep|yeah|no|nope|correct|exactly|partly|partially|mostly|not (?:quite|really|exactly))\b[\s,.:;!—–-]*/i;
const announcement =
  /^(?:good (?:question|catch|point|call|idea)|great|found|fair|interesting|here|let me|looking|now|ah|i (?:see|have|can|need|was|looked|checked|found)|you['’]?re right|sure|thanks|sorry|right|confirmed|done|got it|that['’]s (?:all|it|everything))\b/i;

/**
 * "Why is the report slow? → One query per row": the title of an answer whose question names the subject. The answer is
 * the first statement of the message, or the best one.
 */
export function makeQuestionTitle(
  { prompt, isMachine }: TurnRecord,
  message: readonly Scored[],
  best: Scored,
): string | undefined {
  const question = isMachine ? undefined : findQuestion(prompt, message);
  if (question === undefined) return undefined;
  const room = maxWhole - question.length - separator.length;
  const told = message.filter(({ place }) => place !== "heading");
  const verdict = yesOrNo.exec(told[0]?.text ?? "")?.[0];
  const [first] = told;
  const answer =
    (first && makeAnswer(first, room, undefined)) ??
    makeAnswer(best, room, best === first ? undefined : verdict);
  return answer && `${question}${separator}${answer}`;
}

const separator = " → ";

/** The question of a prompt that the message answers; undefined if none names its subject. */
function findQuestion(prompt: string, message: readonly Scored[]): string | undefined {
  if (prompt.length > maxPrompt) return undefined;
  const answered = contentWords(message.map(({ text }) => text).join(" "));
  const [best] = listSentences(prompt)
    .map((text) =>
      text
        .replace(leadIn, "")
        .replace(indirect, "")
        .replace(/\s*[^\s\p{L}\p{N}?？`"')\]]+$/u, ""),
    )
    .filter(
      (text) =>
        /[?？]$/.test(text) &&
        text.length <= maxQuestion &&
        text.split(/\s+/).length >= minQuestionWords &&
        !refers.test(text) &&
        !/^(?:can|could|would|will|shall|should) (?:we|i)\b/i.test(text),
    )
    .map((text) => ({ text, common: [...contentWords(text)].filter((word) => answered.has(word)).length }))
    .filter(({ common }) => common >= minCommon)
    .toSorted((a, b) => b.common - a.common);
  return best && capitalise(best.text);
}

const maxPrompt = 1_200;
/** Number of content words that the answer must share with the question. */
const minCommon = 2;

/** The statement as an answer, whole; undefined if it does not fit or says nothing. */
function makeAnswer(one: Scored, room: number, verdict: string | undefined): string | undefined {
  const { text, place } = one;
  if (place === "row" || place === "quote" || /[:：?？]$/.test(text) || announcement.test(text))
    return undefined;
  const said = text.replace(/[.。!\s]+$/u, "");
  const isVerdict = yesOrNo.test(said);
  if (said.replace(yesOrNo, "").split(/\s+/).length < minAnswerWords) return undefined;
  const prefix = verdict && !isVerdict ? `${capitalise(verdict.replace(/[\s,.:;!—–-]+$/, ""))}: ` : "";
  const limit = room - prefix.length;
  if (limit < minAnswer) return undefined;
  const answer = isVerdict ? shortenTitle(capitalise(said), limit) : shortenTitle(makeTitle(one), limit);
  return answer.endsWith("…") ? undefined : `${prefix}${answer}`;
}
