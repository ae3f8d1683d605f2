import { clipText } from "../../domain/transcript/clip-text.ts";
import type { LineFacts, TranscriptEntry } from "../../domain/transcript/entry.ts";
import type { SessionTables } from "../../domain/transcript/session-tables.ts";
import { asFields, asFieldsList, asText, type Fields, parseFields } from "../fields.ts";
import type { HostTranscripts } from "../host.ts";
import { damagedEntry, defaultTextLimit, makeToolResult, makeToolUse } from "../transcript-entries.ts";
import { requests } from "./requests.ts";
import { tools } from "./tools.ts";

const tables: SessionTables = {
  sessions: {
    table: "session",
    id: "id",
    parentId: "parent_id",
    folder: "directory",
    title: "title",
    version: "version",
    updatedAt: "time_updated",
  },
  messages: { table: "message", id: "id", sessionId: "session_id", createdAt: "time_created", json: "data" },
  parts: { table: "part", id: "id", sessionId: "session_id", messageId: "message_id", json: "data" },
};

/** Sessions are in a database. A line is a message with its parts: `{id, sessionId, folder, version, data, parts}`. */
export const transcripts: HostTranscripts = {
  headLength: 1,
  mayHaveEntries: () => true,
  readLine(line, { textLimit = defaultTextLimit } = {}) {
    const json = line.trim();
    if (json === "") return [];
    const fields = parseFields(json);
    const message = asFields(fields?.["data"]);
    const facts = fields && message && readFacts(fields, message);
    if (!message || !facts) return damagedEntry;
    const parts = asFieldsList(fields["parts"]);
    return message["role"] === "user"
      ? readPrompt(parts, facts, textLimit)
      : readAssistant(message, parts, facts, textLimit);
  },
  home: { parentVariable: "XDG_DATA_HOME", name: ".local/share/opencode" },
  folder: "",
  depth: 0,
  sessionIdOf: () => undefined,
  database: { file: "opencode.db", tables },
  retentionDays: () => undefined,
};

function readFacts(line: Fields, message: Fields): LineFacts | undefined {
  const [uuid, sessionId] = [asText(line["id"]), asText(line["sessionId"])];
  if (!uuid || !sessionId) return undefined;
  return {
    at: readTime(asFields(message["time"])?.["created"]),
    uuid,
    sessionId,
    isSidechain: false,
    cwd: asText(asFields(message["path"])?.["cwd"]) ?? asText(line["folder"]) ?? null,
    gitBranch: null,
    version: asText(line["version"]) ?? null,
  };
}

function readTime(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.trunc(value) : 0;
}

/** Context that plugins added is in synthetic parts, and so is a line that woke the session. */
function readPrompt(parts: readonly Fields[], facts: LineFacts, limit: number): TranscriptEntry[] {
  const own = parts.filter((part) => part["type"] === "text" && part["synthetic"] !== true);
  const text = own.flatMap((part) => asText(part["text"]) ?? []).join("\n\n");
  const promptId = facts.uuid;
  const prompt = { text: clipText(text, limit), promptId, isMidTurn: false, report: null };
  const origin = text.trim() === "" ? "machine" : "human";
  return [{ ...facts, kind: "prompt", origin, ...prompt }];
}

function readAssistant(
  message: Fields,
  parts: readonly Fields[],
  facts: LineFacts,
  limit: number,
): TranscriptEntry[] {
  const isBeforeTools = parts.some((part) => part["type"] === "tool");
  const entries = parts.flatMap((part): TranscriptEntry[] => {
    const text = part["type"] === "text" ? asText(part["text"]) : undefined;
    if (text?.trim())
      return [{ ...facts, kind: "say", text: clipText(text, limit), messageId: facts.uuid, isBeforeTools }];
    return part["type"] === "tool" ? readCall(part, facts, limit) : [];
  });
  const end = { ...facts, at: readTime(asFields(message["time"])?.["completed"]) || facts.at };
  const error = asText(asFields(message["error"])?.["name"]);
  if (error === "MessageAbortedError") return [...entries, { ...end, kind: "interrupted", hitTool: false }];
  if (error !== undefined) return [...entries, { ...end, kind: "turn-failed", hitTool: false }];
  if (message["finish"] === "stop") return [...entries, { ...end, kind: "turn-ended", hitTool: false }];
  return entries;
}

function readCall(part: Fields, facts: LineFacts, limit: number): TranscriptEntry[] {
  const [toolUseId, name] = [asText(part["callID"]), asText(part["tool"])];
  const state = asFields(part["state"]);
  if (toolUseId === undefined || name === undefined || !state) return [];
  const input = asFields(state["input"]) ?? {};
  const use = makeToolUse(facts, tools, { toolUseId, name, input });
  const { status, output, error, metadata } = state;
  if (status !== "completed" && status !== "error") return [use];
  const exit = asFields(metadata)?.["exit"] ?? 0;
  const text = clipText(asText(error) ?? tools.outputOf({ output }), limit);
  const result = makeToolResult(facts, { toolUseId, text, isError: status === "error" || exit !== 0 });
  if (tools.kindOf(name) !== "ask") return [use, result];
  const answers = requests
    .readAnswers(input, { metadata })
    .flatMap(({ question, answer, options }) => (answer === null ? [] : [{ question, answer, options }]));
  return [use, { ...result, answers }];
}
