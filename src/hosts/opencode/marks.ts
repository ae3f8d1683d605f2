import type { HostMarks } from "../host-marks.ts";

export const marks = {
  label: "OpenCode",
  environment: ["OPENCODE", "OPENCODE_PID"],
  processNames: ["opencode"],
  scriptPaths: ["/opencode-ai/"],
  transcripts: /\/opencode\/opencode\.db(?:#|$)/,
  sessionIds: /^ses_[0-9A-Za-z]{20,40}$/,
} as const satisfies HostMarks;
