import { listSentences } from "./distil/sentences.ts";
import { shortenTitle, stripOpening } from "./distil/title.ts";
import { toOneLine } from "../../shared/text.ts";

interface NoteText {
  title: string;
  narrative: string;
}

/** Maximum text length of a row, in characters. */
const maxRow = 200;
/** "No." before a sentence answers a question that is no longer visible. */
const answer = /^(?:no|yes|correct|right)\.\s+(?=\S.{20})/i;
const command = /^\/[\w:-]+\s+/;

/**
 * A note as one self-contained line: the full sentence that its title was cut from, if it fits. Half a sentence may
 * say the opposite.
 */
export function makeRowText({ title, narrative }: NoteText): string {
  const chosen = makeChoiceText(title, narrative);
  if (chosen !== undefined) return chosen;
  const start = keyOf(title);
  const whole = listSentences(narrative)
    .map((sentence) => stripOpening(sentence))
    .find((sentence) => keyOf(sentence).startsWith(start) && sentence.length >= title.length);
  const text = (whole ?? title)
    .replace(answer, "")
    .replace(command, "")
    .replaceAll("**", "")
    .replace(/\s*\((?![^()]* → )[^()]*$/, "")
    .replace(/[.。:：\s]+$/u, "");
  const short = shortenTitle(text.length > maxRow ? text.replace(furtherCondition, "") : text, maxRow);
  return capitalise(short);
}

/** A condition after the main clause of a long sentence: cut off halfway, it would lack its consequence. */
const furtherCondition = /(?<=.{40})(?:\s+[—–]|;)\s+(?:if|when|unless|once|because|since|while)\b.*$/i;

const maxWithRejected = 200;

/** A choice with its whole question and answer; undefined for other notes. */
function makeChoiceText(title: string, narrative: string): string | undefined {
  const choice = readChoice(title, narrative);
  return choice && formatChoice(choice, maxWithRejected);
}

interface Choice {
  question: string;
  answer: string;
  /** Whether it is in the user's own words. */
  isFree: boolean;
}

const confirmed = " The agent confirmed: ";
const answered = [
  /^Asked: (.+?) The agent proposed: (.+) The user answered: /su,
  // The user asked back; the agent's words say what came of it.
  /^Asked: (.+?) The user answered: .+ The agent confirmed: (.+)$/su,
  /^Asked: (.+?) The user answered: (.+)$/su,
  /^Asked: (.+?[?.!？]) [^.?!]{1,60} answered: (.+)$/su,
];
/** Words before a question that do not belong to it. */
const announced =
  /^(?:(?:next|first|last|one (?:more|last)|final|another|quick) question|question(?: \d+)?)\s*[:—–-]\s*/i;
const optionMark = /^(?:option\s*)?\(?[a-h\d]{1,2}[.):]\s*/i;
const recommended = /\s*\(recommended\)/gi;

/** The question and the answer of a choice in full; its title may have shortened both. */
function readChoice(title: string, narrative: string): Choice | undefined {
  if (!title.includes(" → ")) return undefined;
  const [, wholeQuestion, said] = answered.map((pattern) => pattern.exec(narrative)).find(Boolean) ?? [];
  if (wholeQuestion === undefined || said === undefined) return undefined;
  const named = title.slice(title.indexOf(" → ") + 3);
  // The agent confirms with a phrase before the decision, which the title leaves out. The title names what "both" are.
  const isNamed =
    (narrative.includes(confirmed) || /^(?:both|all)\b.*:/i.test(named)) && !named.endsWith("…");
  const answer = (isNamed ? named : said)
    .replace(optionMark, "")
    .replace(recommended, "")
    .replace(/\s*\([^()]{60,}\)\.$/s, "");
  return {
    question: lastQuestion(wholeQuestion).replace(announced, ""),
    answer: answer.replace(/[.\s]+$/, ""),
    isFree: !/ The agent (?:proposed|confirmed): /.test(narrative),
  };
}

/** The last sentence with a question mark. If it is too short to name its subject, with the sentence before it. */
function lastQuestion(text: string): string {
  const sentences = text.split(/(?<=[.!?？])\s+/u);
  const last = sentences.findLastIndex((one) => /[?？]$/u.test(one));
  if (last < 0) return text;
  const isShort = last > 0 && (sentences[last] ?? "").split(/\s+/).length < minQuestionWords;
  return sentences.slice(isShort ? last - 1 : last, last + 1).join(" ");
}

const minQuestionWords = 6;
/** Minimum characters of an answer's first sentence; a shorter one gets the next. */
const minAnswerLength = 20;

/** An answer of which less is shown ends with an ellipsis. */
const minShown = 0.6;

/** `Which database? → PostgreSQL`. A long answer is reduced to its first sentences. */
function formatChoice({ question, answer, isFree }: Choice, limit: number): string {
  const sentences = listSentences(answer);
  const count = (sentences[0] ?? "").length >= minAnswerLength ? 1 : 2;
  const first =
    sentences
      .slice(0, count)
      .join(" ")
      .replace(/[.:\s]+$/, "") || answer;
  const isPart = isFree && first.length < answer.length * minShown;
  const chosen = shortenTitle(first, Math.floor(limit / 2));
  const text = `${shortenTitle(toOneLine(question), limit - chosen.length - 3)} → ${chosen}`;
  return capitalise(isPart && !text.endsWith("…") ? `${text}…` : text);
}

/** The text of a note's row. A decision includes the rejected options if they fit. */
export function formatNote(note: NoteText & { facts: readonly string[] }): string {
  const text = makeRowText(note);
  const rejected = note.facts.find((fact) => fact.startsWith("Not chosen: "));
  const extra = rejected && !choseAll.test(text) ? ` (not: ${rejected.slice("Not chosen: ".length)})` : "";
  return text.length + extra.length <= maxWithRejected ? text + extra : text;
}

/** All options were chosen: the others in the list are parts of this one. */
const choseAll = / → (?:both|all)\b/i;

const choice = /^(.*[?？…]) → (.+)$/u;

/**
 * Shortens the text of a row: drops the rejected options, articles and backticks first, as in a headline, then clauses.
 * A choice keeps its answer.
 */
export function shortenRow(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const bare = dropArticles(text.replace(/ \(not: [^()]*\)$/, ""));
  const [, question, chosen] = choice.exec(bare) ?? [];
  if (question === undefined || chosen === undefined) return shortenHeadline(bare, limit);
  const end = ` → ${shortenHeadline(chosen, Math.floor(limit / 2))}`;
  return shortenHeadline(question, limit - end.length) + end;
}

/** Lengths to try, in characters, if a text cannot be shortened to the wanted one. */
const longerRows = [104, 122, 145, 170, 200];

/** Shortens to `limit`, or to the next longer length at which no clause is cut; undefined if there is none. */
export function fitRow(shorten: (limit: number) => string, limit: number): string | undefined {
  return [limit, ...longerRows.filter((length) => length > limit)]
    .map(shorten)
    .find((text) => !text.includes("…"));
}

function dropArticles(text: string): string {
  const short = text
    .split(/(`[^`]*`)/)
    .map((part, n) =>
      n % 2 === 0 ? part.replace(/(?<![\p{L}\p{N}-])(?:the|an?) (?=[\p{L}\p{N}]|$)/giu, "") : part,
    )
    .join("");
  return capitalise(short);
}

/** The scope before a colon, as in `ci: cache modules`, stays as it is. */
function capitalise(text: string): string {
  return /^[a-z][\w/.-]*: /.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Backticks do not count towards the limit, because they are removed. */
function shortenHeadline(text: string, limit: number): string {
  const marks = text.split("`").length - 1;
  return shortenTitle(text, limit + marks).replaceAll("`", "");
}

/** The first words as letters and digits only: a title omits markup and some parentheses. */
function keyOf(text: string): string {
  return text
    .replace(/…$/, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .slice(0, 24);
}
