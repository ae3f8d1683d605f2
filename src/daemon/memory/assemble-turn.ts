import { isMachinePrompt } from "../../domain/capture/machine-prompt.ts";
import { mergeTold } from "../../domain/memory/merge-told.ts";
import { toSteps } from "../../domain/memory/tool-steps.ts";
import type { Step, TurnRecord } from "../../domain/memory/turn-record.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import { parseJson } from "../../shared/json.ts";

export interface AssembledTurn {
  turnId: string;
  sessionId: string;
  project: string;
  cwd: string | null;
  promptEventId: string;
  promptNumber: number | null;
  startedAt: number;
  endedAt: number;
  record: TurnRecord;
}

interface TurnFacts {
  sessionId: string;
  project: string;
  cwd: string | null;
  outcome: TurnRecord["outcome"];
  final: string | null;
  startedAt: number;
  endedAt: number | null;
}

interface EventFacts {
  id: string;
  event: string;
  subagentId: string | null;
  toolName: string | null;
  toolUseId: string | null;
  payload: string;
}

/** A turn of thousands of calls is told by its first ones and its last words; the store keeps them all. */
const mostEvents = 1_000;

/**
 * Puts a turn together from its stored events, and from what its transcript tells where that was read. Undefined if
 * there is no such turn or it has not ended.
 */
export function assembleTurn(db: Database, turnId: string, told?: TurnRecord): AssembledTurn | undefined {
  const turn = db.get<TurnFacts>(
    `SELECT t.session_id AS sessionId, s.project, s.cwd, t.outcome, t.last_assistant_message AS final, t.started_at AS startedAt,
       t.ended_at AS endedAt FROM turns t JOIN sessions s ON s.id = t.session_id WHERE t.id = ?`,
    turnId,
  );
  if (!turn || turn.endedAt === null) return undefined;
  const prompts = db.all<{ eventId: string; number: number; text: string }>(
    "SELECT event_id AS eventId, number, text FROM prompts WHERE turn_id = ? ORDER BY number",
    turnId,
  );
  const events = db.all<EventFacts>(
    `SELECT id, event, subagent_id AS subagentId, tool_name AS toolName, tool_use_id AS toolUseId, payload FROM events
     WHERE session_id = ? AND turn_id = ? AND event IN ('PostToolUse', 'PostToolUseFailure') ORDER BY occurred_at, seq LIMIT ${mostEvents}`,
    turn.sessionId,
    turnId,
  );
  const human = prompts.filter(({ text }) => !isMachinePrompt(text));
  const first = human[0] ?? prompts[0];
  const { sessionId, project, cwd, startedAt, endedAt } = turn;
  const uses = events.map((event) => ({ toolUseId: event.toolUseId, steps: readSteps(event) }));
  const record: TurnRecord = {
    prompt: (human.length > 0 ? human : prompts).map(({ text }) => text).join("\n"),
    isMachine: human.length === 0,
    steps: uses.flatMap((use) => use.steps),
    final: turn.final ?? "",
    ...(cwd ? { root: cwd } : {}),
    outcome: turn.outcome,
  };
  return {
    turnId,
    sessionId,
    project,
    cwd,
    startedAt,
    endedAt,
    promptEventId: first?.eventId ?? turnId,
    promptNumber: first?.number ?? null,
    record: told ? mergeTold(record, uses, told) : record,
  };
}

const edits = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"]);

/** Of a subagent's work only the edits count: what it found out comes back in its parent's tool result. */
function readSteps({ id, subagentId, toolName, payload }: EventFacts): Step[] {
  if (toolName === null || (subagentId !== null && !edits.has(toolName))) return [];
  const { tool_input: input, tool_response: response, error } = parseJson(payload) as Record<string, unknown>;
  const isRecord = typeof input === "object" && input !== null && !Array.isArray(input);
  return toSteps({
    eventId: id,
    tool: toolName,
    input: isRecord ? (input as Record<string, unknown>) : {},
    response,
    error: typeof error === "string" ? error : undefined,
  });
}
