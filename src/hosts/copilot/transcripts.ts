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
import { tools } from "./tools.ts";

const lineTypes = new Set(["user.message", "assistant.message", "tool.execution_complete", "abort"]);
const head = /^\{"type":"([\w.]+)"/;

/** Lines name neither the session (the folder does) nor the prompt. */
export const transcripts: HostTranscripts = {
  lacksPromptIds: "all",
  headLength: 60,
  mayHaveEntries(text) {
    const [, type] = head.exec(text) ?? [];
    return type === undefined || lineTypes.has(type);
  },
  readLine(line, { textLimit = defaultTextLimit } = {}) {
    const json = line.trim();
    if (json === "") return [];
    const fields = parseFields(json);
    const data = asFields(fields?.["data"]);
    if (!fields || !data) return damagedEntry;
    const facts = readBareFacts(fields);
    switch (fields["type"]) {
      case "user.message":
        return readPrompt(data, facts, textLimit);
      case "assistant.message":
        return readAssistant(data, facts, textLimit);
      case "tool.execution_complete":
        return readResult(data, facts, textLimit);
      case "abort":
        return [{ ...facts, kind: "interrupted", hitTool: false }];
      default:
        return [];
    }
  },
  folder: "session-state",
  depth: 1,
  sessionIdOf: (path) => /^([^/]+)\/events\.jsonl$/.exec(path)?.[1],
  retentionDays: () => undefined,
};

/** `content` is the person's text; context that hooks added is only in the transformed one. */
function readPrompt(data: Fields, facts: LineFacts, limit: number): TranscriptEntry[] {
  const text = asText(data["content"]) ?? "";
  if (text.trim() === "") return [];
  const prompt = { text: clipText(text, limit), promptId: null, isMidTurn: false, report: null };
  return [{ ...facts, kind: "prompt", origin: "human", ...prompt }];
}

function readAssistant(data: Fields, facts: LineFacts, limit: number): TranscriptEntry[] {
  const requests = asFieldsList(data["toolRequests"]);
  const text = asText(data["content"]) ?? "";
  const say = { text: clipText(text, limit), messageId: facts.uuid, isBeforeTools: requests.length > 0 };
  const uses = requests.flatMap((request): TranscriptEntry[] => {
    const [toolUseId, name] = [asText(request["toolCallId"]), asText(request["name"])];
    if (toolUseId === undefined || name === undefined) return [];
    const input = asFields(request["arguments"]) ?? {};
    return [makeToolUse(facts, tools, { toolUseId, name, input })];
  });
  return [...(text.trim() === "" ? [] : [{ ...facts, kind: "say", ...say } as const]), ...uses];
}

function readResult(data: Fields, facts: LineFacts, limit: number): TranscriptEntry[] {
  const toolUseId = asText(data["toolCallId"]);
  if (toolUseId === undefined) return [];
  const { detailedContent, content } = asFields(data["result"]) ?? {};
  const error = asText(asFields(data["error"])?.["message"]);
  const exitCode = asFields(data["shellExecution"])?.["exitCode"] ?? 0;
  const text = error ?? asText(detailedContent) ?? asText(content) ?? "";
  const isError = data["success"] === false || exitCode !== 0;
  return [makeToolResult(facts, { toolUseId, text: clipText(text, limit), isError })];
}
