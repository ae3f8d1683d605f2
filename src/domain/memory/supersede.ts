import type { ObservationType } from "./turn-record.ts";
import { isStopWord, listWords } from "./words.ts";

/** What is compared of two notes of one project. */
export interface Claim {
  type: ObservationType;
  title: string;
  worktree: string | null;
  filesRead: readonly string[];
  filesModified: readonly string[];
}

/**
 * Does the newer note take the older one's place, and why? Only where they cannot both hold: the same question answered
 * otherwise, the same rule turned round, the same sentence with another number, one thing named as given up for another.
 * A current note taken for an old one is worse than an old one that stays, so whatever is doubtful stays.
 */
export function replaces(newer: Claim, older: Claim): string | undefined {
  if (newer.worktree !== older.worktree || isCut(newer.title) || isCut(older.title)) return undefined;
  if (!isRule(newer) || !isRule(older)) {
    const isSame = newer.type === older.type && states.has(newer.type) && shareFile(newer, older);
    return isSame && differInNumber(newer.title, older.title, 3)
      ? "the same about this file, with another value"
      : undefined;
  }
  const [question, earlier] = [splitAnswer(newer.title), splitAnswer(older.title)];
  if (question || earlier) return question && earlier ? answeredAnew(question, earlier) : undefined;
  if (isTurnedRound(newer.title, older.title)) return "the same rule turned round";
  if (differInNumber(newer.title, older.title, 2)) return "the same rule with another value";
  return givesUp(newer.title, older.title) ? "it names what it replaces" : undefined;
}

/** What a note of another type tells happened once: it does not stop being so. */
const states = new Set<ObservationType>(["discovery", "gotcha"]);

export interface Claims {
  /** What others may find it by, and what it looks for in others. */
  own: number[];
  sought: number[];
}

/**
 * Numbers by which notes that `replaces` may link find each other, however many there are. `scope` keeps projects apart.
 */
export function claimsOf({ type, title }: Pick<Claim, "type" | "title">, scope: string): Claims {
  const isOfRule = type === "decision" || type === "preference";
  if (isCut(title) || (!isOfRule && !states.has(type))) return { own: [], sought: [] };
  const masked = numbersApart(title).map((word) => (isNumber(word) ? "#" : word));
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

/** FNV-1a, twice. */
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

/** What was cut off may have been the difference. */
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

function answeredAnew(newer: Answer, older: Answer): string | undefined {
  const isSame = newer.question !== "" && newer.question === older.question;
  return isSame && newer.answer !== older.answer ? "the same question answered anew" : undefined;
}

/** How people begin a rule; it says nothing about what the rule is. */
const leadIn =
  /^(?:(?:ok(?:ay)?|so|well|actually|please|from now on|going forward|as of now|in this (?:project|repo)|we|you|should|must|always|ab jetzt|bitte|wir)[\s,:]+)+/i;
const negative =
  /\b(?:never|not|no|don'?t|do not|doesn'?t|avoid|stop|without|nie|niemals|nicht|keine?|nunca|jamais)\b/i;
const negativeWords =
  /\b(?:never|not|no|don'?t|do not|doesn'?t|avoid|stop|without|always|nie|niemals|nicht|keine?|immer|nunca|siempre|jamais|toujours)\b/gi;

function words(text: string): string[] {
  return listWords(text.replace(leadIn, "").replaceAll(/['’]/g, ""));
}

function isTurnedRound(a: string, b: string): boolean {
  if (negative.test(a) === negative.test(b)) return false;
  const [left, right] = [a, b].map((text) => words(text.replaceAll(negativeWords, " ")).map(stem));
  return left !== undefined && left.join(" ") === right?.join(" ") && contentWords(left).length >= 2;
}

/** "using" and "use" are one word here. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|e?s|e)$/, "") : word.replace(/e$/, "");
}

function contentWords(list: readonly string[]): string[] {
  return list.filter((word) => !isStopWord(word) && /\p{L}/u.test(word));
}

/** Before a number: it is a name, not a value. */
const counted =
  /^(?:issue|ticket|pr|mr|task|bug|step|phase|part|chapter|line|row|test|case|migration|error|code|status|http|port|id|no|nr|number|version)s?$/;

/**
 * Word for word the same but for numbers, of which at least one differs. Of what is forbidden, several may be; and so it is
 * with things that are told apart by number.
 */
function differInNumber(a: string, b: string, minWords: number): boolean {
  if (negative.test(a) || negative.test(b)) return false;
  const [left, right] = [numbersApart(a), numbersApart(b)];
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

/** `30s` falls apart into number and unit; a name with digits in it stays whole. */
function numbersApart(text: string): string[] {
  return words(text).flatMap((word) => {
    const [, mark = "", number, unit = ""] = /^(v?)(\p{N}+)(\p{L}{0,3})$/u.exec(word) ?? [];
    return number === undefined ? [word] : [mark, number, unit].filter(Boolean);
  });
}

function isNumber(word: string): boolean {
  return /^\p{N}+$/u.test(word);
}

const name = String.raw`[\p{L}\p{N}][\p{L}\p{N}_.@/+#-]*`;
/** The thing given up, in the first group that is there. */
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

/** What stands within two words after a word of choosing. */
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

/** Was it the older note's choice, and did that note say nothing that the newer one leaves open? */
function givesUp(newer: string, older: string): boolean {
  const thing = findGivenUp(newer);
  if (!thing || negative.test(older) || findGivenUp(older) !== undefined) return false;
  const [given = ""] = listWords(thing);
  if (!listChosen(older).includes(given)) return false;
  const said = new Set([...listWords(newer), ...listWords(thing)].map(stem));
  return words(older).every(
    (word) => isStopWord(word) || filler.has(word) || choosing.test(word) || said.has(stem(word)),
  );
}
