import type { ToolCall } from "../capture/payload-rules.ts";
import type { ToolKind } from "../../protocol/agent-events.ts";
import type { Step } from "./turn-record.ts";

interface ToolUse extends Pick<ToolCall, "target" | "changes"> {
  eventId: string;
  tool: string;
  toolKind: ToolKind;
  file: string | undefined;
  input: Record<string, unknown>;
  output: string;
  failed: boolean;
  /** For a call that asked the person; null for a question without an answer. */
  answers: readonly { question: string; answer: string | null; options: string[] }[];
}

/** Converts a tool use to steps of a turn. A question to the person becomes its answers; housekeeping calls are dropped. */
export function toSteps({ answers, file, ...use }: ToolUse): Step[] {
  if (use.toolKind === "housekeeping") return [];
  if (use.toolKind !== "ask") return [{ kind: "tool", ...use, ...(file ? { file } : {}) }];
  return answers.flatMap(({ answer, ...asked }): Step[] =>
    answer === null ? [] : [{ kind: "answer", ...asked, answer, eventId: use.eventId }],
  );
}
