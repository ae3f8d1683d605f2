import type { Database } from "../sqlite/sqlite.ts";
import type { ToolKind } from "../protocol/agent-events.ts";
import type { TurnRow } from "./turns.ts";

/** The stored data that a turn is distilled from. */
interface TurnFacts {
  turn: {
    sessionId: string;
    host: string;
    project: string;
    cwd: string | null;
    outcome: TurnRow["outcome"];
    final: string | null;
    startedAt: number;
    endedAt: number | null;
  };
  /** `posted`: 1 if it was sent through the API. */
  prompts: { eventId: string; number: number; text: string; machine: number; posted: number }[];
  events: ToolEvent[];
  /** The agent's last message before this turn; empty if there is none. */
  previousFinal: string;
}

export interface ToolEvent {
  id: string;
  event: string;
  subagentId: string | null;
  toolName: string | null;
  toolKind: ToolKind | null;
  toolUseId: string | null;
  filePath: string | null;
  via: string;
  /** JSON. */
  payload: string;
}

export function readTurnFacts(db: Database, turnId: string, maxEvents: number): TurnFacts | undefined {
  const turn = db.get<TurnFacts["turn"]>(
    `SELECT t.session_id AS sessionId, s.host, s.project, s.cwd, t.outcome, t.last_assistant_message AS final, t.started_at AS startedAt,
       t.ended_at AS endedAt FROM turns t JOIN sessions s ON s.id = t.session_id WHERE t.id = ?`,
    turnId,
  );
  if (!turn) return undefined;
  return {
    turn,
    prompts: db.all(
      `SELECT p.event_id AS eventId, p.number, p.text, p.machine, coalesce(e.via = 'api', 0) AS posted
       FROM prompts p LEFT JOIN events e ON e.id = p.event_id WHERE p.turn_id = ? ORDER BY p.number`,
      turnId,
    ),
    events: db.all<ToolEvent>(
      `SELECT id, event, subagent_id AS subagentId, tool_name AS toolName, tool_kind AS toolKind,
         tool_use_id AS toolUseId, file_path AS filePath, via, payload FROM events
       WHERE session_id = ? AND turn_id = ? AND event IN ('tool.after', 'tool.failed')
       ORDER BY occurred_at, seq LIMIT ?`,
      turn.sessionId,
      turnId,
      maxEvents,
    ),
    previousFinal: readPreviousFinal(db, turn.sessionId, turn.startedAt),
  };
}

function readPreviousFinal(db: Database, sessionId: string, before: number): string {
  const previous = db.get<{ final: string }>(
    `SELECT last_assistant_message AS final FROM turns
     WHERE session_id = ? AND started_at < ? AND last_assistant_message IS NOT NULL ORDER BY started_at DESC LIMIT 1`,
    sessionId,
    before,
  );
  return previous?.final ?? "";
}
