import { clipText } from "../../domain/transcript/clip-text.ts";
import type { LineFacts, TranscriptEntry } from "../../domain/transcript/entry.ts";
import { asFields, asText, type Fields, parseFields } from "../fields.ts";
import { makeToolResult, makeToolUse } from "../transcript-entries.ts";
import { isMachineLine } from "./machine-lines.ts";
import { readOwnWords } from "./own-words.ts";
import { readCommand } from "./read-command.ts";
import { tools } from "./tools.ts";

/** The lines of a session in the legacy format that have entries: the type of the line and that of its payload. */
export const legacyTypes: Readonly<Record<string, ReadonlySet<string>>> = {
  event_msg: new Set(["user_message", "agent_message", "task_complete", "turn_aborted"]),
  response_item: new Set([
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "function_call_output",
    "custom_tool_call_output",
  ]),
};

const shellTools = new Set(["shell", "container.exec", "local_shell", "shell_command", "exec_command"]);

/**
 * A line as older versions of Codex wrote it, and newer ones do in sessions that these began: without `ordinal`, with the
 * calls as the model made them. It does not name the turn.
 */
export function readLegacyLine(payload: Fields, lineFacts: LineFacts, limit: number): TranscriptEntry[] {
  const text = asText(payload["message"]) ?? "";
  // The line has no id. Its time is the same in a fork.
  const facts = { ...lineFacts, uuid: `${lineFacts.at}-${text.length}` };
  const toolUseId = asText(payload["call_id"]) ?? "";
  switch (payload["type"]) {
    case "user_message": {
      const words = readOwnWords(text);
      const origin = isMachineLine(words) ? "machine" : "human";
      const prompt = { text: clipText(words, limit), promptId: null, isMidTurn: false, report: null };
      return words.trim() === "" ? [] : [{ ...facts, kind: "prompt", origin, ...prompt }];
    }
    case "agent_message": {
      const say = { text: clipText(text, limit), messageId: facts.uuid, isBeforeTools: false };
      return text.trim() === "" ? [] : [{ ...facts, kind: "say", ...say }];
    }
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
      return [makeToolUse(facts, tools, { toolUseId, ...readCall(payload, limit) })];
    case "function_call_output":
    case "custom_tool_call_output": {
      const { text: output, isError } = readOutput(payload["output"]);
      return [makeToolResult(facts, { toolUseId, text: clipText(output, limit), isError })];
    }
    default:
      return [];
  }
}

/** A call under the name and with the input that Codex's hooks report. */
function readCall(payload: Fields, limit: number): { name: string; input: Fields } {
  const called = asText(payload["name"]) ?? "local_shell";
  const input = readInput(payload);
  const command = readCommand(input["command"] ?? input["cmd"]);
  const patch = /\*\*\* Begin Patch\n[^]*?\n\*\*\* End Patch/.exec(command || (asText(input["input"]) ?? ""));
  const isPatch = called === "apply_patch" || /^(?:cd [^&\n]+ && )?apply_patch\b/.test(command);
  if (isPatch && patch) return { name: "apply_patch", input: { command: clipText(patch[0], limit) } };
  if (shellTools.has(called)) return { name: "Bash", input: { command: clipText(command, limit) } };
  const clipped = Object.entries(input).map(([key, value]) => [
    key,
    typeof value === "string" ? clipText(value, limit) : value,
  ]);
  return { name: nameTool(called, payload["namespace"]), input: Object.fromEntries(clipped) };
}

function readInput({ arguments: json, input, action }: Fields): Fields {
  if (typeof json === "string") return parseFields(json) ?? {};
  if (typeof input === "string") return { input };
  return asFields(action) ?? {};
}

/** Tools of MCP servers have their server in a field of its own, or before two underscores. */
function nameTool(name: string, namespace: unknown): string {
  const full = typeof namespace === "string" ? `${namespace}__${name}` : name;
  return full.includes("__") && !full.startsWith("mcp__") ? `mcp__${full}` : full;
}

/** Lines about the run, before the output of a command. */
const runFacts = /^(?:Command|Chunk ID|Exit code|Wall time): /;
const outputStart = "\nOutput:\n";

/** Outputs are texts, in some versions with the exit code in JSON or above the output of the command. */
function readOutput(raw: unknown, isInner = false): { text: string; isError: boolean } {
  if (typeof raw !== "string") return { text: tools.outputOf({ content: raw }), isError: false };
  const { output, metadata } = (raw.startsWith('{"output":') && parseFields(raw)) || {};
  if (typeof output === "string")
    return { text: output, isError: (asFields(metadata)?.["exit_code"] ?? 0) !== 0 };
  const end = raw.indexOf(outputStart);
  if (end < 0 || !runFacts.test(raw)) return { text: raw, isError: false };
  const code = /^(?:Exit code: |Process exited with code )(-?\d+)$/m.exec(raw.slice(0, end))?.[1];
  const rest = raw.slice(end + outputStart.length);
  if (code === undefined) return isInner ? { text: rest, isError: false } : readOutput(rest, true);
  return { text: rest, isError: code !== "0" };
}
