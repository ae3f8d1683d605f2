import { formatBytes } from "../shared/format-bytes.ts";
import type { ImportState } from "../protocol/import.ts";
import { formatCount, formatDuration } from "./format.ts";
import { formatProgressBar } from "./progress.ts";

/** The progress of an import on one line. */
export function formatProgress(state: ImportState, nowMs: number): string {
  const { files, filesDone, bytes, bytesDone, turns, notes } = state;
  // Until the files are chosen, their size is unknown.
  if (bytes === 0 && state.source === "transcripts")
    return `${formatProgressBar(files > 0 ? filesDone / files : 0)}  checking, ${filesDone}/${files} files`;
  const share = bytes > 0 ? Math.min(1, bytesDone / bytes) : 0;
  return [
    formatProgressBar(share),
    `${filesDone}/${files} files`,
    `${formatBytes(bytesDone)} of ${formatBytes(bytes)}, ${formatRate(state, nowMs)}`,
    `${formatCount(turns, "turn")}, ${formatCount(notes, "note")}`,
  ].join("  ");
}

function formatRate({ bytesDone, startedAt }: ImportState, nowMs: number): string {
  const seconds = Math.max(0.001, (nowMs - (startedAt ?? nowMs)) / 1000);
  return `${formatBytes(bytesDone / seconds)}/s`;
}

/** The result of an import. */
export function formatImport(state: ImportState): string {
  const lines = [state.dryRun ? formatPlan(state) : formatOutcome(state)];
  if (state.filesLeftOut > 0)
    lines.push(`${state.filesLeftOut} left out: another project, one that is off, or too old.`);
  if (state.damaged > 0) {
    const reason =
      state.source === "jsonl" ? "damaged, or a note longer than 1,000,000 characters" : "damaged";
    lines.push(`${formatCount(state.damaged, "line")} skipped: ${reason}.`);
  }
  if (state.expiring > 0)
    lines.push(
      `Claude Code deletes transcripts after ${formatCount(state.cleanupDays, "day")} (cleanupPeriodDays in its settings): ` +
        `${state.expiring} ${state.expiring === 1 ? "is" : "are"} about to be deleted or overdue.`,
    );
  if (state.state === "cancelled")
    lines.push("Stopped. Run the same command again to continue; nothing is stored twice.");
  if (state.error)
    lines.push(`The import did not finish: ${state.error} Run the same command again to continue.`);
  return lines.join("\n");
}

const things = { transcripts: "transcript", "claude-mem": "database", jsonl: "export" };

function formatPlan({ source, files, filesKnown, bytes }: ImportState): string {
  const what = formatCount(files, source === null ? "file" : things[source]);
  return `Would read ${what}, ${formatBytes(bytes)}; ${filesKnown} imported before and unchanged.`;
}

function formatOutcome(state: ImportState): string {
  const { source, filesDone, bytesDone, startedAt, endedAt, filesKnown } = state;
  const tookMs = (endedAt ?? 0) - (startedAt ?? 0);
  const took = tookMs < 1_000 ? "less than a second" : formatDuration(tookMs);
  const read =
    source === "transcripts"
      ? `${formatCount(filesDone, "transcript")}, ${formatBytes(bytesDone)} in ${took} (${formatRate(state, endedAt ?? 0)})`
      : `${source === "jsonl" ? "an export" : "claude-mem's database"} in ${took}`;
  const known = [
    ...(filesKnown > 0 ? [formatCount(filesKnown, "unchanged file")] : []),
    ...(state.turnsKnown > 0 ? [`${formatCount(state.turnsKnown, "turn")} already known`] : []),
  ];
  return (
    `Imported ${read}: ${formatCount(state.sessions, "session")}, ${formatCount(state.turns, "turn")}, ` +
    `${formatCount(state.prompts, "prompt")}, ${formatCount(state.notes, "note")}, ` +
    `${state.summaries} ${state.summaries === 1 ? "summary" : "summaries"}${known.length > 0 ? `; ${known.join(", ")}` : ""}.`
  );
}
