import type { Distilled, TurnRecord, TurnSummary } from "../turn-record.ts";
import { titleOfCommit } from "./commit-note.ts";
import { listCommits } from "./commits.ts";
import { filesModified, filesRead, isScratch } from "./files.ts";
import { isHeadline } from "../note-score.ts";
import { joinOpenEnds } from "../open-ends.ts";
import { findOpenEnds } from "./left-open.ts";
import type { Scored } from "./scorer.ts";
import { clip, joinFitting } from "../../../shared/text.ts";
import { joinTitles, makeTitle } from "./title.ts";

const offer =
  /\b(?:want me to|shall i|should i|would you like|do you want|let me know|if you(?:'d)? (?:want|like|prefer)|i can (?:also )?|ready (?:to|for)|whenever you|say the word)\b|[?？]\s*$/i;
/** Whether a text is a question or an offer of help, which is irrelevant later. */
export function isOffer(text: string): boolean {
  return offer.test(text);
}

/** The eight fields of a turn's summary, each correct or empty; undefined for a turn in which nothing happened. */
export function summariseTurn(
  turn: TurnRecord,
  scored: readonly Scored[],
  notes: readonly Distilled[],
): TurnSummary | undefined {
  const { steps, prompt } = turn;
  const tools = steps.filter((step) => step.kind === "tool");
  const open = findOpenEnds(turn, scored);
  if (tools.length === 0 && notes.length === 0 && open.length === 0) return undefined;
  const learned = notes.filter(({ type }) => ["discovery", "gotcha", "problem-solution"].includes(type));
  const done = notes.filter(({ type }) => ["feature", "change", "refactor", "bugfix"].includes(type));
  const read = filesRead(steps).filter((file) => !isScratchOf(turn, file));
  const modified = filesModified(steps).filter((file) => !isScratchOf(turn, file));
  const failures = tools.filter((step) => step.failed).length;
  return {
    request: turn.isMachine ? "" : clip(prompt, 300),
    investigated: joinFiles(read),
    learned: joinTitles(learned.map(({ title }) => title)),
    completed:
      joinTitles(done.filter(isNamed).map(({ title }) => title)) ||
      clip(findDone(turn, scored, learned), 500),
    nextSteps: joinOpenEnds(open),
    notes: clip(
      [
        failures > 0 ? `${failures} of ${tools.length} tool calls failed.` : "",
        turn.outcome && turn.outcome !== "completed"
          ? `The turn ${turn.outcome === "failed" ? "failed" : `was ${turn.outcome}`}.`
          : "",
      ]
        .filter(Boolean)
        .join(" "),
      200,
    ),
    filesRead: read.slice(0, 20),
    filesModified: modified.slice(0, 20),
  };
}

/** The names of files as one text, each whole. */
export function joinFiles(files: readonly string[]): string {
  return joinFitting(files.slice(0, 10), ", ", 300);
}

/** A project may itself be in a temporary folder. */
export function isScratchOf({ root }: TurnRecord, file: string): boolean {
  return isScratch(file) && !(root && file.startsWith(root));
}

/** Whether the title names the work: that of a commit or a plan, or a report. */
function isNamed({ title, provenance }: Distilled): boolean {
  return provenance !== "distil" || isHeadline(title) || reportsWork(title);
}

/** Says that something was done, as opposed to what was found or what could be done. */
const report =
  /^(?:added|built|changed|cleaned|converted|created|deleted|dropped|enabled|extracted|fixed|implemented|introduced|made|merged|migrated|moved|refactored|removed|renamed|replaced|resolved|restored|reverted|rewrote|simplified|split|switched|unified|updated|upgraded|wired|wrote)\b|(?<=\S )(?:now|no longer|added to)\b|\b(?:is|are|was|were|been|i(?:['’]ve)?|we(?:['’]ve)?) (?:now )?(?:added|built|changed|created|dropped|enabled|extracted|fixed|implemented|moved|refactored|removed|renamed|replaced|resolved|restored|reverted|rewritten|split|switched|updated|upgraded|wired|written)\b/i;
/** Whether a statement reports finished work. */
export function reportsWork(text: string): boolean {
  return report.test(text) && !undecided.test(text);
}

const undecided = /\b(?:could|would|should|might|maybe|if (?:you|we)|want|you['’]ll|plan|todo)\b|[:：?？]$/i;

/**
 * The commits of the turn, or the statement of the last message that best describes the work, if no note does. It is
 * returned in full if its title is also that of a finding: the title of "X failed because of Y; Z now prevents it"
 * omits the work.
 */
function findDone(turn: TurnRecord, scored: readonly Scored[], learned: readonly Distilled[]): string {
  const commits = listCommits(turn.steps).flatMap((commit) => titleOfCommit(commit) ?? []);
  if (commits.length > 0) return commits.join(" · ");
  if (filesModified(turn.steps).length === 0) return "";
  const [best] = scored
    .filter(
      ({ role, place, text }) =>
        role === "final" && place !== "heading" && place !== "row" && text.length >= 25 && reportsWork(text),
    )
    .toSorted((a, b) => b.worth - a.worth);
  if (!best) return "";
  const title = makeTitle(best);
  return learned.some((note) => note.title === title) ? best.text.replace(/[.。]$/u, "") : title;
}
