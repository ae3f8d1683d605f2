import {
  type AgentEvent,
  type EventPayload,
  eventPayload,
  type ToolKind,
} from "../../protocol/agent-events.ts";
import { describeFirstIssue } from "../../shared/describe-issue.ts";
import { AppError } from "../../shared/errors.ts";
import { redactValue } from "../../redact/redact-value.ts";
import { parseJson } from "../../shared/json.ts";
import { type Exclusion, removeContent } from "./exclude.ts";
import type { PayloadRules } from "./payload-rules.ts";
import { truncateMiddle } from "../../shared/text.ts";
import { shortenPayload } from "./shorten.ts";

/** A payload ready to be stored: parsed, validated, truncated. Plain data, so that a worker can prepare it. */
export interface PreparedEvent {
  event: AgentEvent;
  sessionId: string;
  cwd: string | undefined;
  transcriptPath: string | undefined;
  promptId: string | undefined;
  toolName: string | undefined;
  toolKind: ToolKind | undefined;
  toolUseId: string | undefined;
  /** The file that the tool concerns, if its input names one. */
  filePath: string | undefined;
  subagentId: string | undefined;
  source: string | undefined;
  reason: string | undefined;
  model: string | undefined;
  prompt: string | undefined;
  /** The host wrote the prompt, not the person. */
  isMachinePrompt: boolean;
  lastAssistantMessage: string | undefined;
  /** JSON text as it will be stored. */
  payload: string;
  /** Size on arrival. */
  bytes: number;
}

interface PrepareOptions {
  /** Maximum text length of one field, in characters. */
  fieldLimit: number;
  exclusion: Exclusion;
}

/**
 * `name` is the host's name of the event. Throws `unknown_event`, `invalid_json` or `invalid_payload`; invalid UTF-8
 * becomes replacement characters. The result contains no secrets and no private spans, and only the result is ever
 * stored.
 */
export function prepareEvent(
  raw: Uint8Array,
  name: string,
  host: PayloadRules,
  { fieldLimit, exclusion }: PrepareOptions,
): PreparedEvent {
  const text = new TextDecoder().decode(raw);
  const whole = parsePayload(text, host);
  const event = host.events.read(name, whole);
  if (!event) throw new AppError("unknown_event", `Unknown event ${name}.`);
  const call = host.tools.readCall(whole.tool_name ?? "", whole.tool_input);
  const kept = exclusion.matches(call) ? removeContent(whole, call) : whole;
  const payload = redactValue(kept).value as EventPayload;
  return {
    event,
    // The session id and the paths are kept unredacted, to find the session's transcript and project.
    sessionId: whole.session_id,
    cwd: whole.cwd,
    transcriptPath: whole.transcript_path,
    promptId: payload.prompt_id,
    toolName: payload.tool_name,
    toolKind: whole.tool_name === undefined ? undefined : host.tools.kindOf(whole.tool_name),
    toolUseId: payload.tool_use_id,
    filePath: host.tools.fileOf(payload.tool_input),
    subagentId: payload.agent_id,
    source: payload.source,
    reason: payload.reason,
    model: payload.model,
    prompt: shortenOptional(payload.prompt, fieldLimit),
    isMachinePrompt: whole.prompt !== undefined && host.prompts.isMachine(whole.prompt),
    lastAssistantMessage: shortenOptional(payload.last_assistant_message, fieldLimit),
    // Serialised from the redacted value: the original text may contain data that a parser drops, such as duplicate keys.
    payload: JSON.stringify(raw.byteLength <= fieldLimit ? payload : shortenPayload(payload, fieldLimit)),
    bytes: raw.byteLength,
  };
}

function parsePayload(text: string, { events }: PayloadRules): EventPayload {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    throw new AppError("invalid_json", `The payload is not complete JSON (${text.length} characters).`, {
      cause,
    });
  }
  const parsed = eventPayload.safeParse(readFields(value, events));
  if (parsed.success) return parsed.data;
  throw new AppError("invalid_payload", describeFirstIssue(parsed.error, "The payload"));
}

/** Some hosts write null for a field that others omit. Values inside a field, such as a tool's input, are left unchanged. */
function readFields(value: unknown, events: PayloadRules["events"]): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const fields = events.normalise(value as Record<string, unknown>);
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== null));
}

function shortenOptional(text: string | undefined, limit: number): string | undefined {
  return text === undefined ? undefined : truncateMiddle(text, limit);
}
