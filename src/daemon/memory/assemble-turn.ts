import { mergeTold } from "../../domain/memory/merge-told.ts";
import { toSteps } from "../../domain/memory/tool-steps.ts";
import type { Step, TurnRecord } from "../../domain/memory/turn-record.ts";
import type { Host } from "../../hosts/host.ts";
import { hostFor } from "../../hosts/hosts.ts";
import type { ToolKind } from "../../protocol/agent-events.ts";
import { parseJson } from "../../shared/json.ts";
import type { Database } from "../../store/sqlite.ts";

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
  host: string;
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
  toolKind: ToolKind | null;
  toolUseId: string | null;
  filePath: string | null;
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
    `SELECT t.session_id AS sessionId, s.host, s.project, s.cwd, t.outcome, t.last_assistant_message AS final, t.started_at AS startedAt,
       t.ended_at AS endedAt FROM turns t JOIN sessions s ON s.id = t.session_id WHERE t.id = ?`,
    turnId,
  );
  if (!turn || turn.endedAt === null) return undefined;
  const prompts = db.all<{ eventId: string; number: number; text: string; machine: number }>(
    "SELECT event_id AS eventId, number, text, machine FROM prompts WHERE turn_id = ? ORDER BY number",
    turnId,
  );
  const events = db.all<EventFacts>(
    `SELECT id, event, subagent_id AS subagentId, tool_name AS toolName, tool_kind AS toolKind, tool_use_id AS toolUseId,
       file_path AS filePath, payload FROM events
     WHERE session_id = ? AND turn_id = ? AND event IN ('tool.after', 'tool.failed') ORDER BY occurred_at, seq LIMIT ${mostEvents}`,
    turn.sessionId,
    turnId,
  );
  const human = prompts.filter(({ machine }) => machine === 0);
  const first = human[0] ?? prompts[0];
  const { sessionId, project, cwd, startedAt, endedAt } = turn;
  const host = hostFor(turn.host);
  const uses = events.map((event) => ({ toolUseId: event.toolUseId, steps: readSteps(event, host) }));
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

/** Of a subagent's work only the edits count: what it found out comes back in its parent's tool result. */
function readSteps(event: EventFacts, { tools, requests }: Host): Step[] {
  const { id, subagentId, toolName, toolKind, filePath, payload } = event;
  if (toolName === null || toolKind === null || (subagentId !== null && toolKind !== "edit")) return [];
  const {
    tool_input: rawInput,
    tool_response: response,
    error,
  } = parseJson(payload) as Record<string, unknown>;
  const isRecord = typeof rawInput === "object" && rawInput !== null && !Array.isArray(rawInput);
  const input = isRecord ? (rawInput as Record<string, unknown>) : {};
  return toSteps({
    eventId: id,
    tool: toolName,
    toolKind,
    file: filePath ?? undefined,
    input,
    output: typeof error === "string" ? error : tools.outputOf(response),
    failed: typeof error === "string",
    answers: toolKind === "ask" ? requests.readAnswers(input, response) : [],
  });
}
