import type { HostMarks } from "../host-marks.ts";

export const marks = {
  label: "Qwen Code",
  environment: ["QWEN_CODE", "QWEN_CODE_SESSION_ID"],
  processNames: ["qwen"],
  scriptPaths: ["/@qwen-code/qwen-code/"],
  transcripts: /\/\.qwen\/|\/projects\/[^/]+\/chats\/[^/]+\.jsonl$/,
  hasOneSessionPerProcess: true,
} as const satisfies HostMarks;
