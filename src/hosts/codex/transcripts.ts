import { clipText } from "../../domain/transcript/clip-text.ts";
import type { LineFacts, ToolResultEntry, TranscriptEntry } from "../../domain/transcript/entry.ts";
import { getOwn } from "../../shared/json.ts";
import { asFields, asFieldsList, asText, type Fields, parseFields } from "../fields.ts";
import type { HostTranscripts } from "../host.ts";
import {
  damagedEntry,
  defaultTextLimit,
  makeToolResult,
  makeToolUse,
  readTimestamp,
} from "../transcript-entries.ts";
import { legacyTypes, readLegacyLine } from "./legacy-lines.ts";
import { isMachineLine } from "./machine-lines.ts";
import { readOwnWords } from "./own-words.ts";
import { formatPatch, type RecordedChange } from "./patch.ts";
import { readCommand } from "./read-command.ts";
import { tools } from "./tools.ts";

/** The type of a line is among its first fields. Models' requests, settings and token counts are skipped unparsed. */
const head = /^\{"timestamp":"[^"]*",("ordinal":\d+,)?"type":"(\w+)","payload":\{"type":"(\w+)"/;
const eventTypes = new Set(["item_completed", "task_complete", "turn_aborted"]);
const sessionFile = /(?:^|\/)rollout-.+-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

export const transcripts: HostTranscripts = {
  lacksPromptIds: "older",
  headLength: 200,
  mayHaveEntries(text) {
    const [, ordinal, type, kind = ""] = head.exec(text) ?? [];
    if (type === undefined || (type === "event_msg" && eventTypes.has(kind))) return true;
    return ordinal === undefined && (getOwn(legacyTypes, type)?.has(kind) ?? false);
  },
  readLine(line, { textLimit = defaultTextLimit } = {}) {
    const json = line.trim();
    if (json === "") return [];
    const fields = parseFields(json);
    const payload = asFields(fields?.["payload"]);
    if (!fields || (fields["type"] !== undefined && !payload)) return damagedEntry;
    return payload ? readPayload(fields, payload, textLimit) : damagedEntry;
  },
  folder: "sessions",
  depth: 3,
  archive: "archived_sessions",
  isSubagent: (start) => /^\{[^\n]*?"(?:thread_source":"subagent"|source":\{"subagent")/.test(start),
  sessionIdOf: (path) => sessionFile.exec(path)?.[1],
  retentionDays: () => undefined,
};

function readPayload(line: Fields, payload: Fields, limit: number): TranscriptEntry[] {
  const facts = readFacts(line, payload);
  switch (payload["type"]) {
    case "item_completed":
      return readItem(asFields(payload["item"]) ?? {}, payload, facts, limit);
    case "task_complete":
      return [{ ...facts, kind: "turn-ended", hitTool: false }];
    case "turn_aborted":
      return [{ ...facts, kind: "interrupted", hitTool: false }];
    default:
      return line["ordinal"] === undefined ? readLegacyLine(payload, facts, limit) : [];
  }
}

/** Lines name neither the folder nor the branch; the first line of the file does. */
function readFacts(line: Fields, payload: Fields): LineFacts {
  return {
    at: readTimestamp(line),
    uuid: asText(asFields(payload["item"])?.["id"]) ?? "",
    sessionId: asText(payload["thread_id"]) ?? "",
    isSidechain: false,
    cwd: null,
    gitBranch: null,
    version: null,
  };
}

function readItem(item: Fields, payload: Fields, facts: LineFacts, limit: number): TranscriptEntry[] {
  switch (item["type"]) {
    case "UserMessage": {
      const text = readOwnWords(textOf(item["content"]));
      const origin = isMachineLine(text) ? "machine" : "human";
      const promptId = asText(payload["turn_id"]) ?? null;
      const prompt = {
        text: clipText(text, limit),
        promptId,
        isMidTurn: false,
        isTurnId: true as const,
        report: null,
      };
      return text.trim() === "" ? [] : [{ ...facts, kind: "prompt", origin, ...prompt }];
    }
    case "AgentMessage": {
      const text = textOf(item["content"]);
      const say = { text: clipText(text, limit), messageId: facts.uuid, isBeforeTools: true };
      return text.trim() === "" ? [] : [{ ...facts, kind: "say", ...say }];
    }
    case "CommandExecution":
      return readUse(facts, "Bash", { command: readCommand(item["command"]) }, limit, {
        text: asText(item["aggregated_output"]) ?? "",
        isError: item["status"] === "failed" || (item["exit_code"] ?? 0) !== 0,
      });
    case "FileChange":
      return readUse(facts, "apply_patch", { command: formatPatch(readChanges(item["changes"])) }, limit, {
        text: [asText(item["stdout"]), asText(item["stderr"])].filter(Boolean).join("\n"),
        isError: item["status"] === "failed",
      });
    case "McpToolCall": {
      const { server, tool, arguments: input, result, error } = item;
      return readUse(facts, `mcp__${asText(server)}__${asText(tool)}`, asFields(input) ?? {}, limit, {
        text: tools.outputOf(result) || (asText(asFields(error)?.["message"]) ?? ""),
        isError: item["status"] === "failed",
      });
    }
    default:
      return [];
  }
}

/** A finished call: Codex writes one line with its input and its result. */
function readUse(
  facts: LineFacts,
  name: string,
  rawInput: Fields,
  limit: number,
  result: Pick<ToolResultEntry, "text" | "isError">,
): TranscriptEntry[] {
  const input = Object.fromEntries(
    Object.entries(rawInput).map(([key, value]) => [
      key,
      typeof value === "string" ? clipText(value, limit) : value,
    ]),
  );
  const toolUseId = facts.uuid;
  return [
    makeToolUse(facts, tools, { toolUseId, name, input }),
    makeToolResult(facts, { toolUseId, text: clipText(result.text, limit), isError: result.isError }),
  ];
}

function readChanges(changes: unknown): RecordedChange[] {
  return Object.entries(asFields(changes) ?? {}).flatMap(([path, change]): RecordedChange[] => {
    const { type, content, unified_diff: diff, move_path: movedTo } = asFields(change) ?? {};
    if (type === "add" || type === "delete") return [{ type, path, content: asText(content) ?? "" }];
    return type === "update" ? [{ type, path, diff: asText(diff) ?? "", movedTo: asText(movedTo) }] : [];
  });
}

function textOf(content: unknown): string {
  return asFieldsList(content)
    .flatMap(({ text }) => asText(text) ?? [])
    .join("\n\n");
}
