import type { HostMarks } from "../host-marks.ts";

/** One background process of Codex may run many sessions, so none is identified by a process. */
export const marks = {
  label: "Codex",
  environment: ["CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_CI", "CODEX_SANDBOX"],
  processNames: ["codex"],
  scriptPaths: ["/@openai/codex/"],
  transcripts: /\/\.codex\/|\/rollout-[^/]+\.jsonl$/,
} as const satisfies HostMarks;
