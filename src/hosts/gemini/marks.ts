import type { HostMarks } from "../host-marks.ts";

export const marks = {
  label: "Gemini CLI",
  environment: ["GEMINI_CLI"],
  processNames: ["gemini"],
  scriptPaths: ["/@google/gemini-cli/"],
  transcripts: /\/\.gemini\/|\/chats\/session-[^/]+\.jsonl$/,
  hasOneSessionPerProcess: true,
} as const satisfies HostMarks;
