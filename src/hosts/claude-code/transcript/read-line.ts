import { shortenPayload } from "../../../domain/capture/shorten.ts";
import { clipText } from "../../../domain/transcript/clip-text.ts";
import type { LineFacts, TranscriptEntry } from "../../../domain/transcript/entry.ts";
import { tools } from "../tools.ts";
import { parseJson } from "../../../shared/json.ts";
import { asFields, asFieldsList, asText, type Fields, parseFields, textOf } from "../../fields.ts";
import { headLength, mayHaveEntries } from "./line-head.ts";
import { readQueuedPrompt, readPromptLine, readPromptBesideResult } from "./read-prompt.ts";
import { readToolResult } from "./read-tool-result.ts";
import { damagedEntry, defaultTextLimit, makeToolUse, readTimestamp } from "../../transcript-entries.ts";

interface ReadLineOptions {
  /** Longer texts keep their head and tail. */
  textLimit?: number;
}

/**
 * Reads one line of a transcript. Never throws: a line that is no JSON object is `damaged`, one without content for us
 * returns an empty list. Text that hooks injected, ours included, is in lines and blocks that are left out.
 */
export function readTranscriptLine(line: string, options: ReadLineOptions = {}): TranscriptEntry[] {
  const limit = options.textLimit ?? defaultTextLimit;
  const json = trimLine(line);
  if (json === "") return [];
  if (!mayHaveEntries(json.slice(0, headLength))) return json.endsWith("}") ? [] : damagedEntry;
  const fields = parseFields(json);
  if (!fields) return damagedEntry;
  switch (fields["type"]) {
    case "custom-title":
      return readTitle(fields, fields["customTitle"], "user");
    case "ai-title":
      return readTitle(fields, fields["aiTitle"], "model");
    case "summary":
      return readTitle(fields, fields["summary"], "model");
    case "user":
    case "assistant":
    case "attachment":
    case "system":
      return readMessage(fields, limit, json.length > limit);
    default:
      return [];
  }
}

function readMessage(line: Fields, limit: number, isLong: boolean): TranscriptEntry[] {
  const facts = readFacts(line);
  // Without these ids the line cannot be identified.
  if (facts.uuid === "" || facts.sessionId === "") return damagedEntry;
  if (line["type"] === "user") return readUser(line, facts, limit);
  if (line["type"] === "assistant") return readAssistant(line, facts, limit, isLong);
  if (line["type"] === "attachment")
    return readQueuedPrompt(asFields(line["attachment"]) ?? {}, facts, limit);
  return line["subtype"] === "turn_duration" ? [{ ...facts, kind: "turn-ended", hitTool: false }] : [];
}

function readUser(line: Fields, facts: LineFacts, limit: number): TranscriptEntry[] {
  const content = asFields(line["message"])?.["content"];
  const blocks = asFieldsList(content).filter((block) => block["type"] === "tool_result");
  const words = textOf(content);
  if (blocks.length === 0) return readPromptLine(line, words, facts, limit);
  const results = blocks.flatMap((block) => readToolResult(block, line, facts, limit) ?? []);
  return [...results, ...readPromptBesideResult(line, words, facts, limit)];
}

function readAssistant(line: Fields, facts: LineFacts, limit: number, isLong: boolean): TranscriptEntry[] {
  if (line["isApiErrorMessage"] === true) return [{ ...facts, kind: "turn-failed", hitTool: false }];
  const message = asFields(line["message"]) ?? {};
  if (message["model"] === "<synthetic>") return [];
  return asFieldsList(message["content"]).flatMap((block): TranscriptEntry[] => {
    const text = block["type"] === "text" ? asText(block["text"]) : undefined;
    if (text?.trim()) {
      const isBeforeTools = message["stop_reason"] === "tool_use";
      const messageId = asText(message["id"]) ?? null;
      return [{ ...facts, kind: "say", text: clipText(text, limit), messageId, isBeforeTools }];
    }
    const [toolUseId, name] = [asText(block["id"]), asText(block["name"])];
    if (block["type"] !== "tool_use" || toolUseId === undefined || name === undefined) return [];
    const input = shortenInput(block["input"], limit, isLong);
    return [makeToolUse(facts, tools, { toolUseId, name, input })];
  });
}

/** Limits the depth as well as the length. */
function shortenInput(input: unknown, limit: number, isLong: boolean): Fields {
  const short = shortenPayload(input, limit);
  // Copied if something may have been cut: a slice would keep the entire line in memory.
  return asFields(isLong ? parseJson(JSON.stringify(short)) : short) ?? {};
}

function readFacts(line: Fields): LineFacts {
  const source = asFields(line["forkedFrom"]);
  const agentId = asText(line["agentId"]);
  return {
    at: readTimestamp(line),
    uuid: asText(source?.["messageUuid"]) ?? asText(line["uuid"]) ?? "",
    sessionId: asText(source?.["sessionId"]) ?? asText(line["sessionId"]) ?? "",
    isSidechain: line["isSidechain"] === true,
    ...(agentId === undefined ? {} : { agentId }),
    cwd: asText(line["cwd"]) ?? null,
    gitBranch: asText(line["gitBranch"]) ?? null,
    version: asText(line["version"]) ?? null,
  };
}

function readTitle(line: Fields, title: unknown, source: "user" | "model"): TranscriptEntry[] {
  const text = asText(title)?.trim();
  const sessionId = asText(line["sessionId"]) ?? "";
  return text ? [{ kind: "title", sessionId, title: clipText(text, 500), source }] : [];
}

/** A machine crash may leave a run of NULs at the beginning of the line. */
function trimLine(line: string): string {
  return (line.startsWith("{") ? line : line.replace(/^[\0\uFEFF\s]+/, "")).trimEnd();
}
