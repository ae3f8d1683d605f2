import { clip } from "../../../shared/text.ts";
import type { NoteType, TurnRecord } from "../turn-record.ts";
import type { Commit } from "./commits.ts";
import type { Scored, Scorer } from "./scorer.ts";
import { listSentences } from "./sentences.ts";
import { capitalise, shortenTitle } from "./title.ts";

/** A commit whose message is worth a note. */
export interface CommitNote {
  type: NoteType;
  title: string;
  narrative: string;
  /** Expected number of statements that a later session wants. */
  worth: number;
}

const conventional = /^(\w+)(?:\(([^)]*)\))?!?:\s+(.+)$/;
/** Housekeeping that no later session asks about. */
const errand =
  /^(?:wip\b|merge\b|initial\b|bump\b|release\b|version\b|v?\d+\.\d|fixup!|squash!|format\b|lint\b|typos?\b|(?:re)?generate\b|(?:close|capture|complete|update|add|create|mark|start|resolve)\b.{0,40}\b(?:todos?|state|roadmap|changelog|readme|summary|verification|research|context|status|planning)\b)/i;
/** A subject that names no subject. */
const vague =
  /\b(?:review|feedback|comments?|findings|suggestions)\b(?!.*[—:(])|^(?:update|fix|change|cleanup|clean up|misc|minor|small|various|more|further)\b(?:\s+\S+){0,2}$/i;

/** Minimum worth of the body of a commit; more for one that changes no behaviour. */
const minWorth = 0.25;
const minSideWorth = 1.5;
const minWords = 12;

/** The note that a commit makes on its own; undefined if its message says too little. */
export function draftCommitNote(commit: Commit, turn: TurnRecord, scorer: Scorer): CommitNote | undefined {
  const title = titleOfCommit(commit);
  const narrative = clip(listSentences(commit.body).map(endSentence).join(" "), maxNarrative);
  if (title === undefined || narrative.split(/\s+/).length < minWords) return undefined;
  const message = `${commit.subject}\n\n${commit.body}`;
  const said = scorer(
    { ...turn, final: message, steps: turn.steps.filter(({ kind }) => kind === "tool") },
    "",
  );
  const worth = said.filter(isFinal).reduce((sum, one) => sum + one.worth, 0);
  const isSide =
    sideKinds.has(conventional.exec(commit.subject)?.[1]?.toLowerCase() ?? "") || testing.test(title);
  return worth < (isSide ? minSideWorth : minWorth)
    ? undefined
    : { type: typeOfCommit(commit, turn), title, narrative, worth };
}

/** The subject as a title: with its scope if that names something, without the kind. Undefined if it says nothing. */
export function titleOfCommit({ subject }: Pick<Commit, "subject">): string | undefined {
  const [, , scope = "", rest = subject] = conventional.exec(subject) ?? [];
  const text = rest.replace(/\s*\((?:#\d+|[A-Z]+-\d+)\)$/, "").trim();
  if (errand.test(text) || text.split(/\s+/).length < 3) return undefined;
  const names = /^[a-z][a-z_/.-]{1,24}$/i.test(scope) && !text.toLowerCase().includes(scope.toLowerCase());
  const title = names ? `${scope}: ${text}` : capitalise(text);
  return vague.test(text) ? undefined : shortenTitle(title);
}

const testing =
  /^(?:\w+: )?(?:add|update|fix|extend|improve|remove|satisfy|silence)\b.{0,40}\b(?:tests?|assertions?|comments?|fieldalignment|nolint)\b|^(?:\w+: )?remove (?:redundant|unused|dead) /i;
const sideKinds: ReadonlySet<string> = new Set([
  "docs",
  "chore",
  "style",
  "test",
  "tests",
  "ci",
  "build",
  "release",
]);

/** The type that the subject states; work on a reported fault is a fix, unless the subject says otherwise. */
export function typeOfCommit({ subject }: Pick<Commit, "subject">, turn?: TurnRecord): NoteType {
  const [, kind = "", , text = subject] = conventional.exec(subject) ?? [];
  const stated = sideKinds.has(kind) ? "" : kind;
  const word = stated || (/^\w+/.exec(text)?.[0] ?? "");
  const type = types.find(([pattern]) => pattern.test(word))?.[1] ?? "change";
  const isOpen = stated === "" && (type === "change" || type === "feature");
  return isOpen && turn && reportsFault.test(turn.prompt.slice(0, 400)) ? "bugfix" : type;
}

const reportsFault =
  /\b(?:fails?|failing|failed|broken|crash(?:es|ed)?|stuck|hangs?|doesn['’]?t (?:work|show|seem|appear)|not working|don['’]?t see|regression|checks? still)\b/i;

const types: readonly (readonly [RegExp, NoteType])[] = [
  [/^(?:hot|bug)?fix(?:e[sd])?$|^(?:prevent|avoid|handle|correct|repair|stop|don)/i, "bugfix"],
  [/^(?:feat(?:ure)?|add(?:s|ed)?|implement|support|introduce|allow|create|enable)s?$/i, "feature"],
  [/^(?:refactor|extract|move|rename|consolidate|simplify|split|merge|unify|deduplicate)/i, "refactor"],
];

const maxNarrative = 1_400;

function isFinal({ role }: Scored): boolean {
  return role === "final";
}

function endSentence(text: string): string {
  return /[.!?:;。！？]$/.test(text) ? text : `${text}.`;
}
