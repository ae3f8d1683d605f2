import type { HostMarks } from "../host-marks.ts";

export const marks = {
  label: "Claude Code",
  environment: ["CLAUDECODE", "CLAUDE_PID", "CLAUDE_CODE_SESSION_ID"],
  processNames: ["claude"],
  scriptPaths: ["/@anthropic-ai/claude-code/", "/claude/versions/"],
  transcripts: /\/\.claude\/projects\//,
  hasOneSessionPerProcess: true,
  headlessArguments: ["-p", "--print", "--input-format", "--output-format"],
} as const satisfies HostMarks;
