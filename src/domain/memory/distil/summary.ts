import type { Distilled, TurnRecord, TurnSummary } from "../turn-record.ts";
import { titleOfCommit } from "./commit-note.ts";
import { listCommits } from "./commits.ts";
import { describeEdits, filesModified, filesRead } from "./files.ts";
import { joinOpenEnds } from "../open-ends.ts";
import { listOpenEnds } from "./left-open.ts";
import type { Scored } from "./scorer.ts";
import { clip } from "../../../shared/text.ts";
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
  const open = listOpenEnds(turn, scored);
  if (tools.length === 0 && notes.length === 0 && open.length === 0) return undefined;
  const learned = notes.filter(({ type }) => ["discovery", "gotcha", "problem-solution"].includes(type));
  const done = notes.filter(({ type }) => ["feature", "change", "refactor", "bugfix"].includes(type));
  const failures = tools.filter((step) => step.failed).length;
  return {
    request: turn.isMachine ? "" : clip(prompt, 300),
    investigated: clip(filesRead(steps).slice(0, 10).join(", "), 300),
    learned: joinTitles(learned.map(({ title }) => title)),
    completed: joinTitles(done.map(({ title }) => title)) || clip(saidDone(turn, scored, learned), 500),
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
    filesRead: filesRead(steps).slice(0, 20),
    filesModified: filesModified(steps).slice(0, 20),
  };
}

/**
 * The commits of the turn, or the statement of the last message that best describes the work, if no note does. It is returned in full if its title
 * is also that of a finding: the title of "X failed because of Y; Z now prevents it" omits the work.
 */
function saidDone(turn: TurnRecord, scored: readonly Scored[], learned: readonly Distilled[]): string {
  const commits = listCommits(turn.steps).flatMap((commit) => titleOfCommit(commit) ?? []);
  if (commits.length > 0) return commits.join(" · ");
  const edits = describeEdits(turn.steps);
  if (edits.length === 0) return "";
  const [best] = scored
    .filter(
      ({ role, place, text }) =>
        role === "final" && place !== "heading" && text.length >= 25 && !/[:：?？]$/.test(text),
    )
    .toSorted((a, b) => b.worth - a.worth);
  if (!best) return edits.slice(0, 3).join("; ");
  const title = makeTitle(best);
  return learned.some((note) => note.title === title) ? best.text.replace(/[.。]$/u, "") : title;
}
