import { clipText } from "../../domain/transcript/clip-text.ts";
import type { LineFacts, TranscriptEntry } from "../../domain/transcript/entry.ts";
import { asFields, asFieldsList, asText, type Fields, parseFields } from "../fields.ts";
import type { HostTranscripts } from "../host.ts";
import {
  damagedEntry,
  defaultTextLimit,
  makeToolResult,
  makeToolUse,
  readBareFacts,
} from "../transcript-entries.ts";
import { dropContextBefore } from "./hook-context.ts";
import { readOutput, tools } from "./tools.ts";

/** The text with which a session begins names its folder, inside a JSON string. */
const folder = /Workspace Directories:\*\*\\n +- ([^"]+?)\\n/;

/**
 * Lines name neither the session (the first line and part of the file name do) nor the prompt. A message is written
 * again with its tool calls once they are done, so only a line without calls contributes its text.
 */
export const transcripts: HostTranscripts = {
  lacksPromptIds: "all",
  headLength: 10,
  mayHaveEntries: (head) => !head.startsWith('{"$') && !head.startsWith('{"session'),
  readLine(line, { textLimit = defaultTextLimit } = {}) {
    const json = line.trim();
    if (json === "") return [];
    const fields = parseFields(json);
    if (!fields) return damagedEntry;
    const facts = readBareFacts(fields);
    if (fields["type"] === "user") return readPrompt(fields, facts, textLimit);
    if (fields["type"] !== "gemini") return [];
    const calls = asFieldsList(fields["toolCalls"]);
    return calls.length > 0
      ? calls.flatMap((call) => readCall(call, facts, textLimit))
      : readText(fields, facts, textLimit);
  },
  folder: "tmp",
  depth: 2,
  sessionIdOf(path, readStart) {
    if (!/^[^/]+\/chats\/session-[^/]+\.jsonl$/.test(path)) return undefined;
    return /^\{"sessionId":"([^"]+)"/.exec(readStart())?.[1];
  },
  folderOf(start) {
    const [, escaped = ""] = folder.exec(start) ?? [];
    return asText(parseFields(`{"folder":"${escaped}"}`)?.["folder"]) || undefined;
  },
  retentionDays: () => undefined,
};

/** Results of tools are also written as messages of the user; they have no text. */
function readPrompt(line: Fields, facts: LineFacts, limit: number): TranscriptEntry[] {
  const shown = asFieldsList(line["displayContent"] ?? line["content"]);
  const text = dropContextBefore(asText(shown[0]?.["text"]) ?? "");
  if (text.trim() === "") return [];
  const prompt = { text: clipText(text, limit), promptId: null, isMidTurn: false, report: null };
  return [{ ...facts, kind: "prompt", origin: "human", ...prompt }];
}

function readText(line: Fields, facts: LineFacts, limit: number): TranscriptEntry[] {
  const text = asText(line["content"]) ?? "";
  if (text.trim() === "") return [];
  const say = { text: clipText(text, limit), messageId: facts.uuid, isBeforeTools: false };
  return [{ ...facts, kind: "say", ...say }];
}

function readCall(call: Fields, facts: LineFacts, limit: number): TranscriptEntry[] {
  const [toolUseId, name] = [asText(call["id"]), asText(call["name"])];
  if (toolUseId === undefined || name === undefined) return [];
  const use = makeToolUse(facts, tools, { toolUseId, name, input: asFields(call["args"]) ?? {} });
  const [part] = asFieldsList(call["result"]);
  const response = asFields(asFields(part?.["functionResponse"])?.["response"]);
  const { text, isFailed } = readOutput(response);
  const isError = isFailed || (call["status"] !== undefined && call["status"] !== "success");
  return [use, makeToolResult(facts, { toolUseId, text: clipText(text, limit), isError })];
}
