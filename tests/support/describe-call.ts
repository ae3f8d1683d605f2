import { claudeCode } from "../../src/hosts/claude-code/claude-code.ts";
import type { ToolStep } from "../../src/domain/memory/turn-record.ts";

/** The kind and the file of a call, as capture finds them. */
export function describeCall(tool: string, input: unknown): Pick<ToolStep, "toolKind" | "file"> {
  const file = claudeCode.tools.fileOf(input);
  return { toolKind: claudeCode.tools.kindOf(tool), ...(file ? { file } : {}) };
}
