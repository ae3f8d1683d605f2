import type { ToolStep } from "../../domain/memory/turn-record.ts";
import type { TranscriptTurn } from "../../domain/transcript/turn-draft.ts";
import type { HookEvent } from "../../protocol/hook-events.ts";
import type { Store } from "../../store/open-store.ts";
import type { TurnRow } from "../../store/turns.ts";
import { type IncomingEvent, recordEvent } from "../capture/record-event.ts";
import { isForgottenTurn } from "./forgotten-turn.ts";
import { promptEventOf } from "../transcripts/transcript-reader.ts";

export interface Recovered {
  turnId: string;
  /** Events that no hook had told of. */
  events: number;
}

/** After this long without a line nothing more is expected. */
const quietMs = 60_000;

/**
 * Adds to a turn what its hooks did not tell, in the caller's transaction: prompt, tool uses, end. Ids come from the
 * transcript, so that doing it again changes nothing. Undefined for one that is not ours to tell, or still runs.
 */
export function recoverTurn(
  store: Store,
  told: TranscriptTurn,
  isLast: boolean,
  nowMs: number,
): Recovered | undefined {
  const { sessionId, promptId, key, outcome } = told;
  if (promptId === null || isForgotten(store, told, nowMs)) return undefined;
  const before = store.turns.byPrompt(sessionId, promptId);
  if (!before && (outcome === null || store.turns.byKey(key))) return undefined;
  const isEnded = before !== undefined && before.endedAt !== null;
  if (!isEnded && (outcome === null || (isLast && mayRunOn(store, told, nowMs)))) return undefined;

  let events = 0;
  const record = (id: string, event: HookEvent, at: number, fields: Record<string, unknown>): void => {
    if (recordEvent(store, makeEvent(told, id, event, at, fields), nowMs).isNew) events += 1;
  };
  if ((!before || before.originKind === "unseen") && told.prompt !== "")
    record(promptEventOf(key), "UserPromptSubmit", told.startedAt, { prompt: told.prompt });
  for (const { toolUseId, fields, event } of listUses(told))
    if (!store.events.hasResult(sessionId, toolUseId))
      record(`transcript:${toolUseId}`, event, placeOf(told, toolUseId), fields);
  const turn = store.turns.byPrompt(sessionId, promptId);
  if (!turn) return undefined;
  settleEnd(store, turn, told, record);
  if (store.turns.byKey(key) === undefined) store.turns.setKey(turn.id, key);
  return { turnId: turn.id, events };
}

function isForgotten(store: Store, told: TranscriptTurn, nowMs: number): boolean {
  const project = store.sessions.byId(told.sessionId)?.project ?? "";
  return isForgottenTurn(store, told, project, nowMs);
}

/** Between two tool calls a turn that runs looks like one that is over. */
function mayRunOn(store: Store, { sessionId, endedAt }: TranscriptTurn, nowMs: number): boolean {
  return store.sessions.byId(sessionId)?.status === "active" && nowMs - endedAt < quietMs;
}

/** What ended a turn is in the transcript even where no hook fires: Esc, a refusal, a killed terminal. */
function settleEnd(
  store: Store,
  turn: TurnRow,
  { key, outcome, endedAt, final }: TranscriptTurn,
  record: (id: string, event: HookEvent, at: number, fields: Record<string, unknown>) => void,
): void {
  if (outcome === null || turn.outcome === "completed" || turn.outcome === "failed") return;
  if (outcome === "completed")
    record(`${promptEventOf(key)}:end`, "Stop", endedAt, { last_assistant_message: final });
  else if (outcome === "failed") record(`${promptEventOf(key)}:end`, "StopFailure", endedAt, {});
  else
    store.turns.update({
      ...turn,
      outcome,
      endedAt,
      lastAssistantMessage: turn.lastAssistantMessage ?? (final || null),
    });
}

interface Use {
  toolUseId: string;
  event: "PostToolUse" | "PostToolUseFailure";
  fields: Record<string, unknown>;
}

function listUses({ steps }: TranscriptTurn): Use[] {
  const uses = new Map<string, Use>();
  for (const step of steps) {
    if (step.kind === "tool") uses.set(step.eventId, describeUse(step));
    if (step.kind !== "answer") continue;
    const { eventId, question, answer, options } = step;
    const known = uses.get(eventId)?.fields ?? {};
    const { questions = [] } = (known["tool_input"] ?? {}) as { questions?: object[] };
    const { answers = {} } = (known["tool_response"] ?? {}) as { answers?: object };
    const asked = { question, options: options.map((label) => ({ label })) };
    const fields = {
      tool_name: "AskUserQuestion",
      tool_input: { questions: [...questions, asked] },
      tool_response: { answers: { ...answers, [question]: answer } },
    };
    uses.set(eventId, { toolUseId: eventId, event: "PostToolUse", fields });
  }
  return [...uses.values()];
}

function describeUse({ eventId, tool, input, output, failed }: ToolStep): Use {
  const outcome = failed ? { error: output } : { tool_response: output };
  const fields = { tool_name: tool, tool_input: input, ...outcome };
  return { toolUseId: eventId, event: failed ? "PostToolUseFailure" : "PostToolUse", fields };
}

/** Steps carry no time of their own: they are spread over the turn in their order. */
function placeOf({ steps, startedAt, endedAt }: TranscriptTurn, toolUseId: string): number {
  const index = steps.findIndex((step) => "eventId" in step && step.eventId === toolUseId);
  return Math.round(startedAt + ((endedAt - startedAt) * (index + 1)) / (steps.length + 1));
}

function makeEvent(
  { sessionId, promptId }: TranscriptTurn,
  id: string,
  event: HookEvent,
  occurredAt: number,
  fields: Record<string, unknown>,
): IncomingEvent {
  const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
  const toolUseId = text(fields["tool_name"]) === undefined ? undefined : id.slice("transcript:".length);
  const about = { session_id: sessionId, hook_event_name: event, prompt_id: promptId };
  const payload = JSON.stringify({ ...about, ...(toolUseId ? { tool_use_id: toolUseId } : {}), ...fields });
  return {
    id,
    event,
    occurredAt,
    claudePid: undefined,
    via: "transcript",
    prepared: {
      sessionId,
      promptId: promptId ?? undefined,
      cwd: undefined,
      transcriptPath: undefined,
      toolName: text(fields["tool_name"]),
      toolUseId,
      filePath: undefined,
      subagentId: undefined,
      source: undefined,
      reason: undefined,
      model: undefined,
      prompt: text(fields["prompt"]),
      lastAssistantMessage: text(fields["last_assistant_message"]),
      payload,
      bytes: Buffer.byteLength(payload),
    },
  };
}
