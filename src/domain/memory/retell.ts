import { listRemovedNames } from "./distil/removed-names.ts";
import { isStopWord, listWords } from "./words.ts";
import type { NoteType } from "./turn-record.ts";

/** The parts of a note that are compared with earlier notes of its session. */
export interface ComparedNote {
  type: NoteType;
  title: string;
  narrative: string;
}

/** Only notes of the same family can be duplicates; a decision is never merged into a cause. */
const families: Record<NoteType, string> = {
  decision: "will",
  preference: "will",
  bugfix: "finding",
  "problem-solution": "finding",
  discovery: "finding",
  gotcha: "finding",
  feature: "work",
  refactor: "work",
  change: "work",
};

interface Traits {
  /** Code names: `fooBar`, foo_bar, file names. */
  names: ReadonlySet<string>;
  words: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  /** Products and people: capitalised words after the first. */
  properNames: ReadonlySet<string>;
}

/**
 * Whether the newer note of a session says the same as an older one in other words. The user's rules and decisions are
 * never merged here: a single different word may be the point.
 */
export function isRetelling(newer: ComparedNote, older: ComparedNote): boolean {
  const family = families[newer.type];
  if (family === "will" || family !== families[older.type]) return false;
  const [a, b] = [traitsOf(newer.title), traitsOf(older.title)];
  if (hasNegation(newer.title) !== hasNegation(older.title) || differ(a.numbers, b.numbers)) return false;
  // "in Redis" and "in Postgres": one word is the difference.
  if (isWithout(a.properNames, b.words) && isWithout(b.properNames, a.words)) return false;
  const names = overlap(a.names, b.names);
  if (names === 0 && a.names.size > 0 && b.names.size > 0) return false;
  const [shorter, longer] = a.words.size <= b.words.size ? [a, b] : [b, a];
  const words = containment(shorter.words, longer.words);
  return words >= 0.75 || (words >= 0.5 && names >= 2);
}

function differ(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size > 0 && b.size > 0 && overlap(a, b) === 0;
}

/** Whether one of the names is missing in the other text. */
function isWithout(names: ReadonlySet<string>, words: ReadonlySet<string>): boolean {
  return [...names].some((name) => !words.has(name));
}

const takesBack =
  /\b(?:i was wrong|(?<!what )was wrong|wrong (?:diagnosis|conclusion|assumption)|misdiagnos\w*|turns? out|(?:the )?(?:real|actual|true) (?:root )?(?:cause|issue|problem|bug|reason)|correction:|not (?:actually )?(?:the|a) (?:cause|bug|issue|problem|race|flake)|reverted|rolled back|contrary to|earlier (?:claim|diagnosis|theory|conclusion)|false (?:alarm|positive|green)|after all|you'?re (?:absolutely )?right)\b/i;

const doubts =
  /^(?:no[,.! ]|nope|that'?s (?:not|wrong)|this is(?:n'?t| not)|not (?:what|quite|right)|still\b|it (?:still|doesn'?t|does not|didn'?t)|doesn'?t work|are (?:we|you) sure|is(?:n'?t| it) (?:really|not)|hmm+|wait|but (?:that|it|this|why)|why (?:are|is|does|did|would|do) (?:you|it|we)|i don'?t think|wrong|revert|undo)|\b(?:still (?:fail|broken|not|the same|happen|see|get)|didn'?t (?:work|help|fix)|not (?:what i|the (?:issue|problem|cause))|that doesn'?t make sense|same (?:error|issue|problem))/i;

/** Says that the answer is wrong. */
const contradicts =
  /^(?:no[,.! ]|nope|u{2,}m|wrong\b|(?:and |but )?are (?:we|you) sure|that['’]?s (?:not|wrong))|\b(?:(?:is|are|was|flow|all) wrong|not the (?:issue|problem|cause)|doesn['’]?t (?:mean|make sense))\b/i;
/** Says that the fix did not help. */
const stillFails =
  /\bstill (?:an? (?:issue|problem)|fail\w*|broken|the same|happen\w*)\b|\b(?:didn['’]?t|doesn['’]?t) (?:work|help|fix)\b|\bsame (?:error|issue|problem)\b/i;

/** How the user's prompt responds to the result of the previous turn. */
export type Doubt = "none" | "doubted" | "failed" | "contradicted";

const maxDoubt = 600;

export function readDoubt(prompt: string): Doubt {
  const text = prompt.trim();
  if (text.length >= maxDoubt) return "none";
  if (contradicts.test(text)) return "contradicted";
  if (stillFails.test(text)) return "failed";
  return doubts.test(text) ? "doubted" : "none";
}

/** Notes that a cause found later may invalidate. A fix that did not help is still in the code. */
const explanations: Record<Doubt, readonly NoteType[]> = {
  none: [],
  doubted: [],
  failed: ["problem-solution"],
  contradicted: ["problem-solution", "discovery"],
};
const anotherCause = "the user rejected it and the next turn found another cause";

/**
 * Why the newer note invalidates an older one of its session; undefined if it does not. `doubt`: the user's response to the
 * older note's turn, if the newer note comes from the turn that answers.
 */
export function explainWithdrawal(
  newer: ComparedNote,
  older: ComparedNote,
  doubt: Doubt,
): string | undefined {
  const isFinding = families[newer.type] === "finding" && families[older.type] !== "will";
  if (!isFinding) return undefined;
  const [a, b] = [textTraits(newer), textTraits(older)];
  const names = overlap(a.names, b.names);
  const title = traitsOf(older.title);
  const words = containment(title.words, a.words);
  if (takesBack.test(newer.title) && (names >= 2 || words >= 0.4)) return "a later turn retracted it";
  if (doubt === "none") return undefined;
  if (older.type === "problem-solution" && newer.type === "problem-solution" && names >= 1)
    return anotherCause;
  const isAboutIt = overlap(title.names, a.names) >= 1 || words >= 0.3;
  return explanations[doubt].includes(older.type) && newer.type !== "gotcha" && isAboutIt
    ? anotherCause
    : undefined;
}

/**
 * How much of an older note's work a commit describes, from 0 to 1; 0 if they have too little in common. The commit
 * message was written with the result in view, so it replaces the note's own text. `isPending`: the older note comes
 * after the previous commit of the session.
 */
export function measureCoveredWork(commit: ComparedNote, older: ComparedNote, isPending = false): number {
  if (families[older.type] === "will") return 0;
  const [a, b] = [textTraits(commit), textTraits(older)];
  const title = Math.max(
    containment(traitsOf(commit.title).words, b.words),
    containment(traitsOf(older.title).words, a.words),
  );
  const isOwnWork = isPending && families[older.type] === "work";
  return title >= (isOwnWork ? minPending : minCovered) ? title : 0;
}

/** Whether two commit messages describe the same work, such as a commit and its pull request: their titles agree. */
export function isSameCommit(newer: ComparedNote, older: ComparedNote): boolean {
  const [a, b] = [traitsOf(newer.title).words, traitsOf(older.title).words];
  return (a.size <= b.size ? containment(a, b) : containment(b, a)) >= sameTitle;
}

const sameTitle = 0.75;

/** Whether findings of another turn are about the same thing as a note: they share a code name or several words. */
export function isAboutTheSame(note: ComparedNote, facts: readonly string[]): boolean {
  if (families[note.type] === "will") return false;
  const [a, b] = [textTraits(note), traitsOf(facts.join(" "))];
  return overlap(a.names, b.names) >= 1 || overlap(a.words, b.words) >= minCommonWords;
}

const minCommonWords = 4;

/** Minimum share of a title's words in the other text; less for work that was done since the previous commit. */
const minCovered = 0.45;
const minPending = 0.2;

function textTraits({ title, narrative }: ComparedNote): Traits {
  return traitsOf(`${title} ${narrative}`);
}

function hasNegation(text: string): boolean {
  return /\b(?:no|not|never|without|cannot|none)\b|n['’]t\b/i.test(text);
}

function traitsOf(text: string): Traits {
  const names = new Set<string>();
  for (const [name] of text.matchAll(
    /`[^`]{2,60}`|\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w*|\w+_\w+|[\w-]+\.(?:ts|js|go|py|rs|md|json|ya?ml|sh|tsx|css))\b/g,
  ))
    names.add(
      name
        .replaceAll("`", "")
        .replace(/[():\d,-]+$/, "")
        .toLowerCase(),
    );
  const words = listWords(text).filter((word) => word.length > 2 && !isStopWord(word));
  const cut = (word: string): string => (/\d/.test(word) ? word : word.slice(0, 7));
  return {
    names,
    words: new Set(words.map(cut)),
    properNames: new Set(
      [...text.matchAll(/(?<=[\p{L}\p{N},;)`] )\p{Lu}\p{Ll}{2,}/gu)].map(([name]) => cut(name.toLowerCase())),
    ),
    numbers: new Set(text.match(/\d+(?:\.\d+)*/g) ?? []),
  };
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const item of a) if (b.has(item)) count += 1;
  return count;
}

function containment(part: ReadonlySet<string>, whole: ReadonlySet<string>): number {
  return part.size < 3 ? 0 : overlap(part, whole) / part.size;
}

/** Why an older note of the session is no longer valid: the turn removed the thing that its title is about. */
export function isAboutRemoved(older: ComparedNote, removed: readonly string[]): string | undefined {
  if (families[older.type] === "will") return undefined;
  const name = removed.find((one) => older.title.includes(`\`${one}\``));
  if (name === undefined || listRemovedNames(`${older.title} ${older.narrative}`).includes(name))
    return undefined;
  return `a later turn removed ${name}`;
}
