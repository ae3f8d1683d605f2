import type { ToolStep } from "../../domain/memory/turn-record.ts";
import type { TranscriptTurn } from "../../domain/transcript/turn-draft.ts";
import type { Host } from "../../hosts/host.ts";
import type { AgentEvent } from "../../protocol/agent-events.ts";
import type { Store } from "../../store/open-store.ts";
import type { TurnRow } from "../../store/turns.ts";
import { type IncomingEvent, recordEvent } from "../capture/record-event.ts";
import { isForgottenTurn } from "./forgotten-turn.ts";
import { promptEventOf } from "../../domain/transcript/turn-draft.ts";

interface Recovered {
  turnId: string;
  /** Number of events that no hook had reported. */
  events: number;
}

/** After this long without a line the turn is considered finished. */
const quietMs = 60_000;

/**
 * Adds a turn's missing events from its transcript, in the caller's transaction: prompt, tool uses, end. Ids come from
 * the transcript, so that repeating it changes nothing. Undefined if the turn was forgotten, cannot be identified or is
 * still running.
 */
export function recoverTurn(
  store: Store,
  recorded: TranscriptTurn,
  isLast: boolean,
  nowMs: number,
  host: Host,
): Recovered | undefined {
  const { sessionId, promptId, key, outcome } = recorded;
  if (isForgotten(store, recorded, nowMs)) return undefined;
  if (promptId === null) return host.transcripts.lacksPromptIds ? completeTurn(store, recorded) : undefined;
  const before = store.turns.byPrompt(sessionId, promptId);
  if (!before && (outcome === null || store.turns.byKey(key))) return undefined;
  const isEnded = before !== undefined && before.endedAt !== null;
  if (!isEnded && (outcome === null || (isLast && mayRunOn(store, recorded, nowMs)))) return undefined;

  let events = 0;
  const record: RecordFact = (id, event, at, fields) => {
    if (recordEvent(store, makeEvent(recorded, id, event, at, fields, host), nowMs).isNew) events += 1;
  };
  if ((!before || before.originKind === "unseen") && recorded.prompt !== "")
    record(promptEventOf(key), "prompt", recorded.startedAt, { prompt: recorded.prompt });
  events += recoverUses(store, recorded, host, record);
  const turn = store.turns.byPrompt(sessionId, promptId);
  if (!turn) return undefined;
  settleEnd(store, turn, recorded, record);
  if (store.turns.byKey(key) === undefined) store.turns.setKey(turn.id, key);
  return { turnId: turn.id, events };
}

/** Whether the hooks of a host leave out failures, so that its transcripts, also those of subagents, are needed. */
export function omitsFailures({ events }: Host): boolean {
  return events.nameOf("tool.failed") === undefined;
}

/** Adds the missing results of a subagent's calls, by its own transcript, to the turn that started it. */
export function recoverSubagent(
  store: Store,
  { sessionId, promptId }: Pick<TranscriptTurn, "sessionId" | "promptId">,
  subagentId: string,
  turns: readonly TranscriptTurn[],
  nowMs: number,
  host: Host,
): void {
  for (const turn of turns) {
    const recorded = { ...turn, sessionId, promptId };
    recoverUses(store, recorded, host, (id, event, at, fields) => {
      recordEvent(store, makeEvent(recorded, id, event, at, fields, host, subagentId), nowMs);
    });
  }
}

/** Returns the number of results that were marked as failed. */
function recoverUses(store: Store, recorded: TranscriptTurn, host: Host, record: RecordFact): number {
  const { sessionId } = recorded;
  let marked = 0;
  for (const { toolUseId, fields, event } of listUses(recorded, host)) {
    if (!store.events.hasResult(sessionId, toolUseId))
      record(`transcript:${toolUseId}`, event, placeOf(recorded, toolUseId), fields);
    else if (event === "tool.failed" && omitsFailures(host))
      marked += store.events.markFailed(sessionId, toolUseId, String(fields["error"]));
  }
  return marked;
}

/** Without ids, events cannot be compared; the turn only gets the last message that its hooks did not report. */
function completeTurn(
  store: Store,
  { sessionId, prompt, startedAt, final, key }: TranscriptTurn,
): Recovered | undefined {
  const turn = store.turns.byPromptText(sessionId, prompt, startedAt);
  if (!turn) return undefined;
  if (turn.lastAssistantMessage === null && turn.endedAt !== null && final !== "")
    store.turns.update({ ...turn, lastAssistantMessage: final });
  if (store.turns.byKey(key) === undefined) store.turns.setKey(turn.id, key);
  return { turnId: turn.id, events: 0 };
}

function isForgotten(store: Store, recorded: TranscriptTurn, nowMs: number): boolean {
  const project = store.sessions.byId(recorded.sessionId)?.project ?? "";
  return isForgottenTurn(store, recorded, project, nowMs);
}

/** Between two tool calls a running turn looks like a finished one. */
function mayRunOn(store: Store, { sessionId, endedAt }: TranscriptTurn, nowMs: number): boolean {
  return store.sessions.byId(sessionId)?.status === "active" && nowMs - endedAt < quietMs;
}

/** The transcript shows how a turn ended even if no hook fired: Esc, a refusal, a killed terminal. */
function settleEnd(
  store: Store,
  turn: TurnRow,
  { key, outcome, endedAt, final }: TranscriptTurn,
  record: RecordFact,
): void {
  if (outcome === null || turn.outcome === "completed" || turn.outcome === "failed") return;
  if (outcome === "completed")
    record(`${promptEventOf(key)}:end`, "turn.ended", endedAt, { last_assistant_message: final });
  else if (outcome === "failed") record(`${promptEventOf(key)}:end`, "turn.failed", endedAt, {});
  else
    store.turns.update({
      ...turn,
      outcome,
      endedAt,
      lastAssistantMessage: turn.lastAssistantMessage ?? (final || null),
    });
}

type RecordFact = (id: string, event: AgentEvent, at: number, fields: Record<string, unknown>) => void;

interface Use {
  toolUseId: string;
  event: "tool.after" | "tool.failed";
  fields: Record<string, unknown>;
}

function listUses({ steps }: TranscriptTurn, { requests }: Host): Use[] {
  const uses = new Map<string, Use>();
  const answered = Map.groupBy(
    steps.filter((step) => step.kind === "answer"),
    ({ eventId }) => eventId,
  );
  for (const step of steps) {
    if (step.kind === "tool") uses.set(step.eventId, describeUse(step));
    if (step.kind !== "answer" || uses.has(step.eventId)) continue;
    const fields = requests.recordAnswers(answered.get(step.eventId) ?? []);
    uses.set(step.eventId, { toolUseId: step.eventId, event: "tool.after", fields });
  }
  return [...uses.values()];
}

function describeUse({ eventId, tool, input, output, failed }: ToolStep): Use {
  const outcome = failed ? { error: output } : { tool_response: output };
  const fields = { tool_name: tool, tool_input: input, ...outcome };
  return { toolUseId: eventId, event: failed ? "tool.failed" : "tool.after", fields };
}

/** Steps have no time of their own: they are spread evenly over the turn, in order. */
function placeOf({ steps, startedAt, endedAt }: TranscriptTurn, toolUseId: string): number {
  const index = steps.findIndex((step) => "eventId" in step && step.eventId === toolUseId);
  return Math.round(startedAt + ((endedAt - startedAt) * (index + 1)) / (steps.length + 1));
}

function makeEvent(
  { sessionId, promptId }: TranscriptTurn,
  id: string,
  event: AgentEvent,
  occurredAt: number,
  fields: Record<string, unknown>,
  { name, events, tools, prompts }: Host,
  subagentId?: string,
): IncomingEvent {
  const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
  const toolName = text(fields["tool_name"]);
  const toolUseId = toolName === undefined ? undefined : id.slice("transcript:".length);
  const prompt = text(fields["prompt"]);
  const about = { session_id: sessionId, hook_event_name: events.nameOf(event), prompt_id: promptId };
  const payload = JSON.stringify({ ...about, ...(toolUseId ? { tool_use_id: toolUseId } : {}), ...fields });
  return {
    id,
    host: name,
    occurredAt,
    hostPid: undefined,
    via: "transcript",
    prepared: {
      event,
      sessionId,
      promptId: promptId ?? undefined,
      cwd: undefined,
      transcriptPath: undefined,
      toolName,
      toolKind: toolName === undefined ? undefined : tools.kindOf(toolName),
      toolUseId,
      filePath: tools.fileOf(fields["tool_input"]),
      subagentId,
      source: undefined,
      reason: undefined,
      model: undefined,
      prompt,
      isMachinePrompt: prompt !== undefined && prompts.isMachine(prompt),
      lastAssistantMessage: text(fields["last_assistant_message"]),
      payload,
      bytes: Buffer.byteLength(payload),
    },
  };
}
