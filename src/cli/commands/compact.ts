import { formatBytes } from "../../shared/format-bytes.ts";
import { setTimeout as pause } from "node:timers/promises";
import { callEndpoint } from "../../client/request.ts";
import { careEndpoints } from "../../protocol/endpoints/care.ts";
import { type CompactState, compactSteps } from "../../protocol/care.ts";
import type { Command } from "../command.ts";
import { formatCount, formatDuration } from "../format.ts";
import { formatProgressBar } from "../progress.ts";

const pollMs = 200;

export const compact: Command = {
  summary: "Delete expired raw events, merge the search index, return free disk space.",
  usage: "",
  examples: ["rookery compact"],
  async run(context) {
    await callEndpoint(context.address, careEndpoints.startCompacting);
    let state: CompactState;
    for (;;) {
      state = await callEndpoint(context.address, careEndpoints.getCompacting, { timeoutMs: 600_000 });
      if (state.state !== "running") break;
      context.drawProgress(formatStep(state));
      await pause(pollMs);
    }
    context.drawProgress("");
    context.print(context.isJson ? JSON.stringify(state, null, 2) : formatOutcome(state));
    return state.state === "done" ? 0 : 6;
  },
};

function formatStep({ step, share }: CompactState): string {
  const before = step === null ? 0 : compactSteps.indexOf(step);
  return `${formatProgressBar((before + share) / compactSteps.length)}  ${step ?? ""}`;
}

function formatOutcome(state: CompactState): string {
  const { bytesBefore, bytesAfter, eventsRemoved, startedAt, endedAt, error } = state;
  if (error) return `Compaction did not finish: ${error} No data was lost; run it again.`;
  const took = formatDuration((endedAt ?? 0) - (startedAt ?? 0));
  return `${formatBytes(bytesBefore)} before, ${formatBytes(bytesAfter)} after, in ${took}; ${formatCount(eventsRemoved, "raw event")} removed.`;
}
