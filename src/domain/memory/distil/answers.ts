import type { Distilled, Step } from "../turn-record.ts";
import { isStopWord, listWords } from "../words.ts";
import { listConcepts } from "./concepts.ts";
import { wordOverlap } from "./overlap.ts";
import { maxUncut, maxWhole, shortenTitle } from "./title.ts";

type Answer = Extract<Step, { kind: "answer" }>;
type Denied = Extract<Step, { kind: "denied" }>;

/** The user's choice in a dialog, with the options that were not chosen. */
export function makeAnswerNote(step: Answer, who = "The user"): Distilled {
  const { question, answer, options, header, eventId } = step;
  const named = nameAll(answer, options);
  const rejected = options.filter((option) => !named.includes(option.replace(only, "")));
  const detail = explainChoice(step);
  const narrative = [`Asked: ${question} ${who} answered: ${answer}.`, detail].filter(Boolean).join(" ");
  const title = titleAnswer(question, named, { header, detail });
  const facts = rejected.length > 0 ? [`Not chosen: ${rejected.join(", ")}`] : [];
  return makeUserNote("decision", title, narrative, eventId, facts);
}

/** "Both" means nothing without the options. */
function nameAll(answer: string, options: readonly string[]): string {
  const named = options.filter(
    (option) => option !== answer && !/\b(?:both|all|decide|skip|none|neither)\b/i.test(option),
  );
  return /^(?:both|all)\b.{0,20}$/i.test(answer) && named.length > 1
    ? `${answer}: ${named.map((option) => option.replace(only, "")).join(", ")}`
    : answer;
}

const only = / only$/i;

/** The host's explanation of what was chosen: it says what the label means, and often why. */
function explainChoice({ question, answer, options, details = [] }: Answer): string {
  const chosen = options.flatMap((option, n) => {
    const detail = details[n] ?? "";
    const isRestated = wordOverlap(detail.replace(/^use /i, ""), `${question} ${option}`) === 1;
    return detail !== "" && answer.includes(option) && !isRestated ? [{ option, detail }] : [];
  });
  return chosen.map(({ option, detail }) => (chosen.length > 1 ? `${option}: ${detail}` : detail)).join(" ");
}

interface ChoiceTexts {
  header?: string | undefined;
  /** Description of the chosen option. */
  detail?: string;
}

/**
 * `Which database? → PostgreSQL`; only the last sentence of a long question is used, because it contains the actual
 * question. A question that names no subject is replaced by its header: `Login → Hybrid: ask for a password once a
 * day`.
 */
export function titleAnswer(
  question: string,
  answer: string,
  { header, detail = "" }: ChoiceTexts = {},
): string {
  const [sentence = ""] = detail.split(/(?<=[.!?])\s+/);
  const meaning = sentence.replace(/[.\s]+$/, "");
  if (header && countSubjects(header) > 0 && countSubjects(question) < minSubjects) {
    const choice = `${header} → ${cleanAnswer(answer)}`;
    const explained = `${choice}: ${meaning}`;
    return meaning && explained.length <= maxUncut ? explained : shortenTitle(choice);
  }
  const title = titleByQuestion(question, answer);
  const explained = `${title}: ${meaning}`;
  const isOpaque = listWords(answer).length <= maxOpaque && !title.endsWith("…");
  return meaning && isOpaque && explained.length <= maxUncut ? explained : title;
}

/** An answer of at most this many words often means nothing without its explanation. */
const maxOpaque = 2;
const minSubjects = 2;

function countSubjects(question: string): number {
  return listWords(question).filter((word) => word.length > 2 && !isStopWord(word) && !general.has(word))
    .length;
}

/** Words of questions that say nothing about their subject. */
const general = new Set(
  (
    "apply approach approaches areas based best change changes choice choose decision design direction fix fixed fixes go handle how include keep like " +
    "option options part plan pick prefer preferred proceed question resonates scope separate should solution task this tradeoffs two " +
    "vision want way ways what where which would treatment work"
  ).split(" "),
);

function cleanAnswer(answer: string): string {
  return answer.replace(/\s*\(recommended\)/i, "").replace(/[.\s]+$/, "");
}

/** Longer than usual if that keeps the question and the answer whole. */
function titleByQuestion(question: string, answer: string): string {
  const title = fitQuestion(question, answer, maxWhole);
  const longer = title.includes("…") ? fitQuestion(question, answer, maxUncut) : title;
  return longer.includes("…") ? title : longer;
}

function fitQuestion(question: string, answer: string, limit: number): string {
  const sentences = question.split(/(?<=[.!?])\s+/);
  const last = sentences.findLastIndex((one) => one.endsWith("?"));
  // "Which?" needs the sentence before it.
  const isShort = last > 0 && (sentences[last] ?? "").split(/\s+/).length < minQuestion;
  const refers = last > 0 && refersBack.test(sentences[last] ?? "");
  const alone = sentences[last] ?? question;
  const asked =
    last < 0
      ? question
      : refers
        ? (sentences[0] ?? "").replace(/[.!]$/, "")
        : isShort
          ? withContext(sentences[last - 1] ?? "", alone, answer)
          : alone;
  const room = Math.max(maxChosen, limit - 3 - asked.trim().length);
  const chosen = shortenTitle(cleanAnswer(answer), room);
  return `${shortenQuestion(asked.trim(), limit - 3 - chosen.length)} → ${chosen}`;
}

/** A short question with the sentence before it; if both are too long, the one of them that the answer needs. */
function withContext(before: string, question: string, answer: string): string {
  if (before.length + question.length <= maxBoth) return `${before} ${question}`;
  const isVerdict = /^(?:yes|no|yeah|nope)[,.!]/i.test(answer) && question.split(/\s+/).length >= minNamed;
  return isVerdict ? question : before.replace(/[.!]$/, "");
}

const maxBoth = 90;
const minNamed = 3;

/** "Is a count sufficient, or do we need a flag?": the first alternative names the subject. */
function shortenQuestion(question: string, limit: number): string {
  const short = shortenTitle(question, limit);
  return short.endsWith("…") ? shortenTitle(question.replace(alternative, "?"), limit) : short;
}

const alternative =
  /,? or (?:is|are|do|does|should|would|can|could|will|just|keep|leave|treat|also|would you)\b.*\?$/i;

/** A question about something that an earlier sentence names. */
const refersBack = /\b(?:this|that|it|these|those|them|they)\b/i;
const maxChosen = 60;
/** A question with fewer words does not name its subject. */
const minQuestion = 6;

/**
 * A verdict such as "too long" means nothing without its question; a bare "yes" or "no" to a permission request applies
 * to that request only.
 */
export function isOneOff(question: string, answer: string): boolean {
  const said = answer.trim();
  return judgement.test(said) || ((yesOrNo.test(said) || willAct.test(said)) && permission.test(question));
}

const yesOrNo =
  /^(?:yes|yeah|yep|yup|no|nope|nah|ok(?:ay)?|sure|ja|nein|oui|non|sí|si|sim|não|да|нет|好的?|是的?|不|不行|はい|いいえ|네|아니요?)(?:[,.!。]?\s*(?:please|thanks?|thank you|go ahead|do it|not (?:now|yet|today)|later|wait))*[.!。]*$/iu;
/** "No, I'll restart it": the person does something now. */
const willAct = /^(?:yes|no)[,.]? i(?:['’]ll| will)\b/i;
const judgement =
  /^(?:(?:much |way |far )?too \w+|not (?:now|yet|today|sure|this|that|like (?:this|that))|later|wait|stop|wrong|cancel|never ?mind|maybe|whatever|(?:i )?(?:don['’]?t|do not) know|no idea|looks? (?:good|fine|wrong|bad)|fine|great|perfect|thanks?|zu \w+|trop \w+)[.!]*$/iu;
/** Actions of the agent, as opposed to properties of the result: "May I release?", not "May the API return null?". */
const permission =
  /(?:^|[.!?]\s+|\b(?:may|can|could|shall|should) (?:i|we)(?: (?:now|just|also|already|go ahead and))* |\b(?:do you want|would you like) me to |\b(?:ok(?:ay)?|fine|safe|alright) (?:to |if i ))(?:release|deploy|ship|publish|push|merge|commit|rebase|revert|run|re-?run|restart|start|begin|stop|kill|install|send|post|continue|proceed|go|try|retry|look|check|wait|reset|overwrite|download|upload|apply|execute|tag)\b|\b(?:may|can|could|shall|should) i (?:now )?(?:delete|remove|clean|open|close|create|test|format)\b|\b(?:darf|soll) ich\b|\b(?:puis|dois)-je\b/iu;

/** The reason the user gave for refusing something. */
export function makeRefusalNote(step: Denied, title: string, who = "The user"): Distilled {
  const { tool, what, reason, eventId } = step;
  const narrative = `${who} refused ${tool} \`${shortenTitle(what, 200)}\`: ${reason}`;
  return makeUserNote("preference", title, narrative, eventId);
}

/** A note from the user's answer in this event. */
export function makeUserNote(
  type: "decision" | "preference",
  title: string,
  narrative: string,
  eventId: string,
  facts: string[] = [],
): Distilled {
  return {
    type,
    title,
    narrative,
    facts,
    concepts: listConcepts(narrative),
    filesRead: [],
    filesModified: [],
    sourceEvents: [eventId],
    provenance: "answer",
  };
}

/** Answers given outside a turn, such as to `ask_human`, by the user or another person. */
export function distilAnswers(steps: readonly Step[], who?: string): Distilled[] {
  return steps.flatMap((step) => {
    if (step.kind === "answer")
      return isOneOff(step.question, step.answer) ? [] : [makeAnswerNote(step, who)];
    if (step.kind !== "denied" || !isReason(step.reason)) return [];
    return [makeRefusalNote(step, shortenTitle(step.reason), who)];
  });
}

function isReason(text: string): boolean {
  const reason = text.trim();
  return reason !== "" && !judgement.test(reason) && !yesOrNo.test(reason);
}
