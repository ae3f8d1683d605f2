import { clip } from "../../../shared/text.ts";
import type { Distilled, TurnRecord, TurnSummary } from "../turn-record.ts";
import { describeEdits, filesModified, filesRead } from "./files.ts";
import { listOpenEnds } from "./open-ends.ts";
import { listSentences } from "./sentences.ts";

/** What a turn did, in eight fields; undefined for a turn in which nothing happened. */
export function summariseTurn(turn: TurnRecord, kept: readonly Distilled[]): TurnSummary | undefined {
  const { steps, final, prompt } = turn;
  const tools = steps.filter((step) => step.kind === "tool");
  const open = [...new Set(listOpenEnds(final))];
  if (tools.length === 0 && kept.length === 0 && open.length === 0) return undefined;
  const done = listSentences(final).filter((sentence) => !open.includes(sentence));
  const learned = kept.filter(({ type }) =>
    ["discovery", "gotcha", "problem-solution", "bugfix"].includes(type),
  );
  const failures = tools.filter((step) => step.failed).length;
  return {
    request: turn.isMachine ? "" : clip(prompt, 300),
    investigated: clip(filesRead(steps).slice(0, 10).join(", "), 300),
    learned: clip(learned.map(({ title }) => title).join(" · "), 400),
    completed: clip(done.join(" ") || describeEdits(steps).join("; "), 500),
    nextSteps: clip(open.join(" "), 600),
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
