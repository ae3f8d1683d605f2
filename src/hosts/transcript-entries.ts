import type {
  LineFacts,
  ToolResultEntry,
  ToolUseEntry,
  TranscriptEntry,
} from "../domain/transcript/entry.ts";
import { asText, type Fields } from "./fields.ts";
import type { HostTools } from "./host.ts";

/** Max characters of a text in an entry, unless the caller asks for another length. */
export const defaultTextLimit = 16_000;

export const damagedEntry: TranscriptEntry[] = [{ kind: "damaged" }];

/** The time of a line in epoch milliseconds; 0 if it has none. */
export function readTimestamp(line: Fields): number {
  const at = Date.parse(asText(line["timestamp"]) ?? "");
  return Number.isNaN(at) ? 0 : at;
}

/** The facts of a line that names neither its session nor its folder. */
export function readBareFacts(line: Fields): LineFacts {
  return {
    at: readTimestamp(line),
    uuid: asText(line["id"]) ?? "",
    sessionId: "",
    isSidechain: false,
    cwd: null,
    gitBranch: null,
    version: null,
  };
}

export function makeToolUse(
  facts: LineFacts,
  tools: Pick<HostTools, "kindOf" | "fileOf" | "readCall">,
  { toolUseId, name, input }: Pick<ToolUseEntry, "toolUseId" | "name" | "input">,
): ToolUseEntry {
  const { target, changes } = tools.readCall(name, input);
  const file = tools.fileOf(input);
  const call = { toolUseId, name, toolKind: tools.kindOf(name), input, target, changes };
  return { ...facts, kind: "tool-use", ...call, ...(file ? { file } : {}) };
}

/** A result without a refusal or answers. */
export function makeToolResult(
  facts: LineFacts,
  result: Pick<ToolResultEntry, "toolUseId" | "text" | "isError">,
): ToolResultEntry {
  return { ...facts, kind: "tool-result", ...result, denied: null, answers: [] };
}
