import { hookPayload, type HookPayload } from "../../protocol/hook-events.ts";
import { AppError } from "../../shared/errors.ts";
import { shortenPayload, shortenText } from "./shorten.ts";

/** A payload ready to be stored: parsed, checked, cut to size. Pure data, so that a worker can make it. */
export interface PreparedEvent {
  sessionId: string;
  cwd: string | undefined;
  transcriptPath: string | undefined;
  promptId: string | undefined;
  toolName: string | undefined;
  toolUseId: string | undefined;
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

/** Throws `invalid_json` or `invalid_payload`; invalid UTF-8 becomes replacement characters. */
export function prepareEvent(raw: Uint8Array, fieldLimit: number): PreparedEvent {
  const text = new TextDecoder().decode(raw);
  const payload = parsePayload(text);
  const isShort = raw.byteLength <= fieldLimit;
  return {
    sessionId: payload.session_id,
    cwd: payload.cwd,
    transcriptPath: payload.transcript_path,
    promptId: payload.prompt_id,
    toolName: payload.tool_name,
    toolUseId: payload.tool_use_id,
    subagentId: payload.agent_id,
    source: payload.source,
    reason: payload.reason,
    model: payload.model,
    prompt: shortenOptional(payload.prompt, fieldLimit),
    lastAssistantMessage: shortenOptional(payload.last_assistant_message, fieldLimit),
    payload: isShort ? text : JSON.stringify(shortenPayload(payload, fieldLimit)),
    bytes: raw.byteLength,
  };
}

function parsePayload(text: string): HookPayload {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AppError("invalid_json", `The payload is not whole JSON (${text.length} characters).`, {
      cause,
    });
  }
  const parsed = hookPayload.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new AppError(
    "invalid_payload",
    `Field ${issue?.path.join(".") || "(root)"}: ${issue?.message ?? "not valid"}.`,
  );
}

function shortenOptional(text: string | undefined, limit: number): string | undefined {
  return text === undefined ? undefined : shortenText(text, limit);
}
