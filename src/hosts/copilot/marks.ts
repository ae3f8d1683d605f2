import type { HostMarks } from "../host-marks.ts";

export const marks = {
  label: "Copilot CLI",
  environment: ["COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"],
  processNames: ["copilot"],
  scriptPaths: ["/@github/copilot/"],
  transcripts: /\/\.copilot\/|\/session-state\/[^/]+\/events\.jsonl$/,
  hasOneSessionPerProcess: true,
} as const satisfies HostMarks;
