import { continuation, interruption, isMachinePrompt } from "../prompts.ts";
import { clipText } from "../../../domain/transcript/clip-text.ts";
import { stripHostBlocks } from "./clean-text.ts";
import type { LineFacts, PromptEntry, TranscriptEntry } from "../../../domain/transcript/entry.ts";
import { asFields, asText, type Fields, textOf } from "../../fields.ts";

/** The output of commands, and the host's remarks on them. */
const commandEcho = /^<(?:local-command-|bash-stdout>|bash-stderr>)/;
const commandLine = /^<command-(?:name|message)>/;

/** A user line with text from the person, a command, the host or another machine. */
export function readPromptLine(
  line: Fields,
  words: string,
  facts: LineFacts,
  limit: number,
): TranscriptEntry[] {
  if (line["isCompactSummary"] === true || words.startsWith(continuation))
    return [{ ...facts, kind: "compact-summary", text: clipText(readSummary(words), limit) }];
  if (line["isMeta"] === true) return [];
  if (words.startsWith(interruption))
    return [{ ...facts, kind: "interrupted", hitTool: line["interruptedMessageId"] !== undefined }];
  const text = stripHostBlocks(words);
  if (text === "" || commandEcho.test(text)) return [];
  const promptId = asText(line["promptId"]) ?? null;
  const command = readCommand(text);
  if (command !== undefined) return [{ ...facts, kind: "command", text: clipText(command, limit), promptId }];
  return [makePrompt(text, { ...facts, promptId, isMidTurn: false }, asFields(line["origin"]), limit)];
}

/** Text that the user typed while the agent worked, or a wake: the running turn receives it. */
export function readQueuedPrompt(attachment: Fields, facts: LineFacts, limit: number): TranscriptEntry[] {
  if (attachment["type"] !== "queued_command" || attachment["isMeta"] === true) return [];
  const mode = attachment["commandMode"];
  if (mode !== undefined && mode !== "prompt" && mode !== "task-notification") return [];
  const text = stripHostBlocks(textOf(attachment["prompt"]));
  if (text === "") return [];
  return [
    makePrompt(text, { ...facts, promptId: null, isMidTurn: true }, asFields(attachment["origin"]), limit),
  ];
}

/** Text that the user added to a permission is beside the tool's result. */
export function readPromptBesideResult(
  line: Fields,
  words: string,
  facts: LineFacts,
  limit: number,
): TranscriptEntry[] {
  const source = asText(asFields(line["permissionDecision"])?.["source"]);
  const text = stripHostBlocks(words);
  if (text === "" || !source?.startsWith("user_")) return [];
  return [makePrompt(text, { ...facts, promptId: null, isMidTurn: true }, undefined, limit)];
}

function makePrompt(
  text: string,
  facts: LineFacts & Pick<PromptEntry, "promptId" | "isMidTurn">,
  origin: Fields | undefined,
  limit: number,
): PromptEntry {
  const isMachine = (origin !== undefined && origin["kind"] !== "human") || isMachinePrompt(text);
  const report = isMachine ? readReport(text, limit) : null;
  return {
    ...facts,
    kind: "prompt",
    origin: isMachine ? "machine" : "human",
    text: clipText(text, limit),
    report,
  };
}

function readReport(text: string, limit: number): PromptEntry["report"] {
  const toolUseId = between(text, "<tool-use-id>", "</tool-use-id>");
  const result = between(text, "<result>", "</result>");
  return toolUseId && result !== undefined ? { toolUseId, result: clipText(result, limit) } : null;
}

function readCommand(text: string): string | undefined {
  const shell = between(text, "<bash-input>", "</bash-input>");
  if (shell !== undefined && text.startsWith("<bash-input>")) return `! ${shell.trim()}`;
  if (!commandLine.test(text)) return undefined;
  const name = between(text, "<command-name>", "</command-name>") ?? "";
  return `${name} ${between(text, "<command-args>", "</command-args>") ?? ""}`.trim();
}

/** The summary itself, without the instructions to the model around it. */
function readSummary(words: string): string {
  const start = words.indexOf("Summary:\n");
  const body = start < 0 ? words : words.slice(start + "Summary:\n".length);
  const end = body.search(
    /\n\nIf you need specific details from before compaction|\nPlease continue the conversation/,
  );
  return stripHostBlocks(end < 0 ? body : body.slice(0, end));
}

function between(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open);
  const end = start < 0 ? -1 : text.lastIndexOf(close);
  return end < start + open.length ? undefined : text.slice(start + open.length, end);
}
