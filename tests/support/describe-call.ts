import { claudeCode } from "../../src/hosts/claude-code/claude-code.ts";
import type { ToolStep } from "../../src/domain/memory/turn-record.ts";

/** The parts of a step that capture reads from a call. */
export function describeCall(
  tool: string,
  input: unknown,
): Pick<ToolStep, "toolKind" | "file" | "target" | "changes"> {
  const file = claudeCode.tools.fileOf(input);
  const { target, changes } = claudeCode.tools.readCall(tool, input);
  return { toolKind: claudeCode.tools.kindOf(tool), target, changes, ...(file ? { file } : {}) };
}
