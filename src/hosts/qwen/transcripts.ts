import { clipText } from "../../domain/transcript/clip-text.ts";
import type { LineFacts, TranscriptEntry } from "../../domain/transcript/entry.ts";
import { asFields, asFieldsList, asText, type Fields, parseFields } from "../fields.ts";
import type { HostTranscripts } from "../host.ts";
import {
  damagedEntry,
  defaultTextLimit,
  makeToolResult,
  makeToolUse,
  readTimestamp,
} from "../transcript-entries.ts";
import { tools } from "./tools.ts";

const lineTypes = new Set(["user", "assistant", "tool_result"]);
const head =
  /^\{"uuid":"[^"]*","parentUuid":(?:null|"[^"]*"),"sessionId":"[^"]*","timestamp":"[^"]*","type":"(\w+)"/;

/** Lines do not name their prompt, so turns are imported, but not compared with stored events. */
export const transcripts: HostTranscripts = {
  lacksPromptIds: "all",
  headLength: 400,
  mayHaveEntries(text) {
    const [, type] = head.exec(text) ?? [];
    return type === undefined || lineTypes.has(type);
  },
  readLine(line, { textLimit = defaultTextLimit } = {}) {
    const json = line.trim();
    if (json === "") return [];
    const fields = parseFields(json);
    const facts = fields && readFacts(fields);
    if (!fields || !facts) return damagedEntry;
    const parts = asFieldsList(asFields(fields["message"])?.["parts"]);
    switch (fields["type"]) {
      case "user":
        return readPrompt(fields, parts, facts, textLimit);
      case "assistant":
        return readAssistant(parts, facts, textLimit);
      case "tool_result":
        return parts.flatMap((part) => readResult(asFields(part["functionResponse"]), facts, textLimit));
      default:
        return [];
    }
  },
  folder: "projects",
  depth: 2,
  sessionIdOf: (path) => /^[^/]+\/chats\/([^/]+)\.jsonl$/.exec(path)?.[1],
  retentionDays: () => undefined,
};

function readFacts(line: Fields): LineFacts | undefined {
  const [uuid, sessionId] = [asText(line["uuid"]), asText(line["sessionId"])];
  if (!uuid || !sessionId) return undefined;
  return {
    at: readTimestamp(line),
    uuid,
    sessionId,
    isSidechain: false,
    cwd: asText(line["cwd"]) ?? null,
    gitBranch: asText(line["gitBranch"]) ?? null,
    version: asText(line["version"]) ?? null,
  };
}

/** Context that hooks added is in parts of its own. */
function readPrompt(
  line: Fields,
  parts: readonly Fields[],
  facts: LineFacts,
  limit: number,
): TranscriptEntry[] {
  const shown = asText(asFields(line["systemPayload"])?.["displayText"]);
  const text = shown ?? asText(parts[0]?.["text"]) ?? "";
  if (text.trim() === "") return [];
  const origin = line["provenance"] === "real_user" || line["provenance"] === undefined ? "human" : "machine";
  return [
    {
      ...facts,
      kind: "prompt",
      origin,
      text: clipText(text, limit),
      promptId: null,
      isMidTurn: false,
      report: null,
    },
  ];
}

function readAssistant(parts: readonly Fields[], facts: LineFacts, limit: number): TranscriptEntry[] {
  const isBeforeTools = parts.some((part) => part["functionCall"] !== undefined);
  return parts.flatMap((part): TranscriptEntry[] => {
    const text = part["thought"] === true ? undefined : asText(part["text"]);
    if (text?.trim())
      return [{ ...facts, kind: "say", text: clipText(text, limit), messageId: facts.uuid, isBeforeTools }];
    const { id, name: named, args } = asFields(part["functionCall"]) ?? {};
    const [toolUseId, name] = [asText(id), asText(named)];
    if (toolUseId === undefined || name === undefined) return [];
    const input = asFields(args) ?? {};
    return [makeToolUse(facts, tools, { toolUseId, name, input })];
  });
}

function readResult(result: Fields | undefined, facts: LineFacts, limit: number): TranscriptEntry[] {
  const toolUseId = asText(result?.["id"]);
  if (toolUseId === undefined) return [];
  const response = asFields(result?.["response"]);
  const isError = response?.["error"] !== undefined;
  const text = clipText(tools.outputOf(response), limit);
  return [makeToolResult(facts, { toolUseId, text, isError })];
}
