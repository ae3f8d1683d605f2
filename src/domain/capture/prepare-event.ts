import { hookPayload, type HookPayload } from "../../protocol/hook-events.ts";
import { describeFirstIssue } from "../../shared/describe-issue.ts";
import { AppError } from "../../shared/errors.ts";
import { redactValue } from "../../redact/redact-value.ts";
import { parseJson } from "../../shared/json.ts";
import { type Exclusion, withoutContent } from "./exclude.ts";
import { truncateMiddle } from "../../shared/text.ts";
import { shortenPayload } from "./shorten.ts";

/** A payload ready to be stored: parsed, checked, cut to size. Pure data, so that a worker can make it. */
export interface PreparedEvent {
  sessionId: string;
  cwd: string | undefined;
  transcriptPath: string | undefined;
  promptId: string | undefined;
  toolName: string | undefined;
  toolUseId: string | undefined;
  /** The file that the tool is about, where its input names one. */
  filePath: string | undefined;
  subagentId: string | undefined;
  source: string | undefined;
  reason: string | undefined;
  model: string | undefined;
  prompt: string | undefined;
  lastAssistantMessage: string | undefined;
  /** JSON text as it will be stored. */
  payload: string;
  /** Size as it arrived. */
  bytes: number;
}

export interface PrepareOptions {
  /** Longest text of one field, in characters. */
  fieldLimit: number;
  exclusion: Exclusion;
}

/**
 * Throws `invalid_json` or `invalid_payload`; invalid UTF-8 becomes replacement characters. Secrets and private spans are
 * gone from everything that is returned: nothing else of the payload is ever stored.
 */
export function prepareEvent(raw: Uint8Array, { fieldLimit, exclusion }: PrepareOptions): PreparedEvent {
  const text = new TextDecoder().decode(raw);
  const whole = parsePayload(text);
  const kept = exclusion.concerns(whole.tool_input) ? withoutContent(whole) : whole;
  const payload = redactValue(kept).value as HookPayload;
  return {
    // The session's id and the paths are needed as they are, to find its transcript and its project.
    sessionId: whole.session_id,
    cwd: whole.cwd,
    transcriptPath: whole.transcript_path,
    promptId: payload.prompt_id,
    toolName: payload.tool_name,
    toolUseId: payload.tool_use_id,
    filePath: filePathOf(payload.tool_input),
    subagentId: payload.agent_id,
    source: payload.source,
    reason: payload.reason,
    model: payload.model,
    prompt: shortenOptional(payload.prompt, fieldLimit),
    lastAssistantMessage: shortenOptional(payload.last_assistant_message, fieldLimit),
    // Written anew from what was looked through: the text as it came may hold what a parser drops or repeats.
    payload: JSON.stringify(raw.byteLength <= fieldLimit ? payload : shortenPayload(payload, fieldLimit)),
    bytes: raw.byteLength,
  };
}

function filePathOf(toolInput: unknown): string | undefined {
  const { file_path: file, notebook_path: notebook } = (toolInput ?? {}) as Record<string, unknown>;
  return [file, notebook].find((path) => typeof path === "string" && path !== "") as string | undefined;
}

function parsePayload(text: string): HookPayload {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw new AppError("invalid_json", `The payload is not whole JSON (${text.length} characters).`, {
      cause,
    });
  }
  const parsed = hookPayload.safeParse(withoutNulls(value));
  if (parsed.success) return parsed.data;
  throw new AppError("invalid_payload", describeFirstIssue(parsed.error, "The payload"));
}

/** Some hosts write null for a field that others leave out. Values inside a field, such as a tool's input, stay as they are. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

function shortenOptional(text: string | undefined, limit: number): string | undefined {
  return text === undefined ? undefined : truncateMiddle(text, limit);
}
