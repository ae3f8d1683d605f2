import type { NoteType } from "./turn-record.ts";
import { isStopWord, listWords } from "./words.ts";

/** The parts of a note that are compared with another note of the project. */
export interface Claim {
  type: NoteType;
  title: string;
  worktree: string | null;
  filesRead: readonly string[];
  filesModified: readonly string[];
}

/**
 * Why the newer note replaces the older one; undefined if it does not. It does so only if both cannot be true: the same
 * question with another answer, the same rule reversed, the same sentence with another number, or one thing explicitly
 * given up for another. Hiding a current note is worse than keeping an outdated one, so doubtful cases are kept.
 */
export function explainReplacement(newer: Claim, older: Claim): string | undefined {
  if (newer.worktree !== older.worktree || isCut(newer.title) || isCut(older.title)) return undefined;
  if (!isRule(newer) || !isRule(older)) {
    const isSame = newer.type === older.type && states.has(newer.type) && shareFile(newer, older);
    return isSame && differInNumber(newer.title, older.title, 3)
      ? "the same about this file, with another value"
      : undefined;
  }
  const [question, earlier] = [splitAnswer(newer.title), splitAnswer(older.title)];
  if (question || earlier) return question && earlier ? explainNewAnswer(question, earlier) : undefined;
  if (isReversed(newer.title, older.title)) return "the same rule reversed";
  if (differInNumber(newer.title, older.title, 2)) return "the same rule with another value";
  return abandonsChoice(newer.title, older.title) ? "it names what it replaces" : undefined;
}

/** Types that describe a state. The others report an event, which stays true. */
const states = new Set<NoteType>(["discovery", "gotcha"]);

interface Claims {
  /** The numbers by which other notes find it. */
  own: number[];
  /** The numbers that it looks for in other notes. */
  sought: number[];
}

/**
 * Numbers by which notes that `replaces` may link find each other, without comparing all notes. Different values of
 * `scope` (projects) never match.
 */
export function claimsOf({ type, title }: Pick<Claim, "type" | "title">, scope: string): Claims {
  const isOfRule = type === "decision" || type === "preference";
  if (isCut(title) || (!isOfRule && !states.has(type))) return { own: [], sought: [] };
  const masked = splitNumbers(title).map((word) => (isNumber(word) ? "#" : word));
  const same = masked.includes("#") ? [`number ${masked.join(" ")}`] : [];
  const answer = isOfRule ? splitAnswer(title) : undefined;
  if (answer) same.push(`question ${answer.question}`);
  if (!isOfRule || answer) return { own: same.map(number), sought: same.map(number) };
  same.push(`rule ${words(title.replaceAll(negativeWords, " ")).map(stem).join(" ")}`);
  const chosen = listChosen(title);
  const given = listWords(findGivenUp(title) ?? "").slice(0, 1);
  return {
    own: [
      ...same,
      ...chosen.map((thing) => `chosen ${thing}`),
      ...given.map((thing) => `given ${thing}`),
    ].map(number),
    sought: [
      ...same,
      ...chosen.map((thing) => `given ${thing}`),
      ...given.map((thing) => `chosen ${thing}`),
    ].map(number),
  };

  function number(text: string): number {
    return hash48(`${scope} ${type === "discovery" || type === "gotcha" ? type : "rule"} ${text}`);
  }
}

/** Two FNV-1a hashes. */
function hash48(text: string): number {
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (let index = 0; index < text.length; index++) {
    high = Math.imul(high ^ text.charCodeAt(index), 0x01000193);
    low = Math.imul(low ^ text.charCodeAt(index), 0x85ebca6b);
  }
  return ((high >>> 0) & 0xffff) * 2 ** 32 + (low >>> 0);
}

function isRule({ type }: Claim): boolean {
  return type === "decision" || type === "preference";
}

/** The missing part of a truncated title may be the difference. */
function isCut(title: string): boolean {
  return title.trimEnd().endsWith("…");
}

function shareFile(a: Claim, b: Claim): boolean {
  const files = new Set([...a.filesModified, ...a.filesRead]);
  return [...b.filesModified, ...b.filesRead].some((file) => files.has(file));
}

interface Answer {
  question: string;
  answer: string;
}

/** `Which database? → PostgreSQL` */
function splitAnswer(title: string): Answer | undefined {
  const [, question, answer] = /^(.+\S) → (\S.*)$/.exec(title) ?? [];
  return question && answer
    ? { question: words(question).join(" "), answer: words(answer).join(" ") }
    : undefined;
}

function explainNewAnswer(newer: Answer, older: Answer): string | undefined {
  const isSame = newer.question !== "" && newer.question === older.question;
  return isSame && newer.answer !== older.answer ? "the same question answered again" : undefined;
}

/** Common openings of a rule, which do not say what the rule is. */
const leadIn =
  /^(?:(?:ok(?:ay)?|so|well|actually|please|from now on|going forward|as of now|in this (?:project|repo)|we|you|should|must|always|ab jetzt|bitte|wir)[\s,:]+)+/i;
const negative =
  /\b(?:never|not|no|don'?t|do not|doesn'?t|avoid|stop|without|nie|niemals|nicht|keine?|nunca|jamais)\b/i;
const negativeWords =
  /\b(?:never|not|no|don'?t|do not|doesn'?t|avoid|stop|without|always|nie|niemals|nicht|keine?|immer|nunca|siempre|jamais|toujours)\b/gi;

function words(text: string): string[] {
  return listWords(text.replace(leadIn, "").replaceAll(/['’]/g, ""));
}

function isReversed(a: string, b: string): boolean {
  if (negative.test(a) === negative.test(b)) return false;
  const [left, right] = [a, b].map((text) => words(text.replaceAll(negativeWords, " ")).map(stem));
  return left !== undefined && left.join(" ") === right?.join(" ") && contentWords(left).length >= 2;
}

/** Treats "using" and "use" as the same word. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|e?s|e)$/, "") : word.replace(/e$/, "");
}

function contentWords(list: readonly string[]): string[] {
  return list.filter((word) => !isStopWord(word) && /\p{L}/u.test(word));
}

/** A number after these words is a name, not a value. */
const counted =
  /^(?:issue|ticket|pr|mr|task|bug|step|phase|part|chapter|line|row|test|case|migration|error|code|status|http|port|id|no|nr|number|version)s?$/;

/**
 * Whether the texts are identical except for numbers, of which at least one differs. Excludes prohibitions and
 * numbered things, because several of them can be valid at once.
 */
function differInNumber(a: string, b: string, minWords: number): boolean {
  if (negative.test(a) || negative.test(b)) return false;
  const [left, right] = [splitNumbers(a), splitNumbers(b)];
  if (left.length !== right.length || contentWords(left).length < minWords) return false;
  let differing = 0;
  for (const [index, word] of left.entries()) {
    const other = right[index] ?? "";
    if (word === other) continue;
    if (!isNumber(word) || !isNumber(other) || counted.test(left[index - 1] ?? "")) return false;
    differing += 1;
  }
  return differing > 0 && differing <= 3;
}

/** Splits `30s` into number and unit; names that contain digits stay as they are. */
function splitNumbers(text: string): string[] {
  return words(text).flatMap((word) => {
    const [, mark = "", number, unit = ""] = /^(v?)(\p{N}+)(\p{L}{0,3})$/u.exec(word) ?? [];
    return number === undefined ? [word] : [mark, number, unit].filter(Boolean);
  });
}

function isNumber(word: string): boolean {
  return /^\p{N}+$/u.test(word);
}

const name = String.raw`[\p{L}\p{N}][\p{L}\p{N}_.@/+#-]*`;
/** The abandoned thing, in the first group that matches. */
const givenUp = [
  new RegExp(
    String.raw`\b(?:instead of|rather than|no longer (?:use|using)|in place of) (?:the )?(${name})`,
    "iu",
  ),
  new RegExp(
    String.raw`\b(?:replace|drop|dropping|ditch) (?:the )?(${name}) (?:with|for|in favou?r of)\b`,
    "iu",
  ),
  new RegExp(String.raw`\b(?:mov|switch|migrat)(?:e|ed|ing) from (?:the )?(${name}) to\b`, "iu"),
  new RegExp(String.raw`\b${name}, not (${name})$`, "iu"),
];
const choosing = /^(?:use|using|uses|choose|chose|prefer|pick|go|stay|stick|keep|pin|run|deploy|with|on|to)$/;
const filler = new Set(
  "always only everywhere everything all here project new now it this that for the a in".split(" "),
);

function findGivenUp(title: string): string | undefined {
  return givenUp.map((pattern) => pattern.exec(title)?.[1]).find(Boolean);
}

/** Words within two words after a verb of choosing. */
function listChosen(title: string): string[] {
  const list = words(title);
  const isChosen = (at: number): boolean =>
    list
      .slice(Math.max(0, at - 2), at)
      .some(
        (word, _index, before) =>
          choosing.test(word) && before.every((other) => choosing.test(other) || isStopWord(other)),
      );
  return list.filter((word, at) => !isStopWord(word) && !choosing.test(word) && isChosen(at));
}

/** Whether the newer note abandons the older note's choice, and the older note says nothing else. */
function abandonsChoice(newer: string, older: string): boolean {
  const thing = findGivenUp(newer);
  if (!thing || negative.test(older) || findGivenUp(older) !== undefined) return false;
  const [given = ""] = listWords(thing);
  if (!listChosen(older).includes(given)) return false;
  const said = new Set([...listWords(newer), ...listWords(thing)].map(stem));
  return words(older).every(
    (word) => isStopWord(word) || filler.has(word) || choosing.test(word) || said.has(stem(word)),
  );
}
