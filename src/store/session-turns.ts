import type { Database } from "../sqlite/sqlite.ts";

/** The texts of a turn: the user's prompt and the agent's last message. */
export interface TurnWords {
  id: string;
  /** Empty for a prompt that the host wrote. */
  prompt: string;
  final: string;
  outcome: string | null;
  endedAt: number;
}

/** Maximum text length read, in characters: summaries and open ends are at the beginning or the end. */
const maxText = 12_000;
const maxTurns = 400;

const maxPrompt = 4_000;
/** Of later turns only the request and the result count. */
const maxLater = { prompt: 1_500, text: 3_000 };

const columns = listColumns(maxPrompt, maxText);

function listColumns(prompt: number, text: number): string {
  return `t.id, coalesce((SELECT group_concat(substr(p.text, 1, ${prompt}), char(10)) FROM prompts p
      WHERE p.session_id = t.session_id AND p.turn_id = t.id AND p.machine = 0), '') AS prompt,
    substr(coalesce(t.last_assistant_message, ''), -${text}) AS final, t.outcome, t.ended_at AS endedAt`;
}

/** The ended turns of a session, oldest first. */
export function readSessionTurns(db: Database, sessionId: string): TurnWords[] {
  return db.all<TurnWords>(
    `SELECT ${columns} FROM turns t WHERE t.session_id = ? AND t.ended_at IS NOT NULL ORDER BY t.number LIMIT ${maxTurns}`,
    sessionId,
  );
}

/** The last turn of a session that ended. */
export function readLastTurn(db: Database, sessionId: string): TurnWords | undefined {
  return db.get<TurnWords>(
    `SELECT ${columns} FROM turns t WHERE t.session_id = ? AND t.ended_at IS NOT NULL ORDER BY t.number DESC LIMIT 1`,
    sessionId,
  );
}

/** Turns of other sessions of the project that ended after a time, oldest first. */
export function readLaterTurns(
  db: Database,
  { project, sessionId, after }: { project: string; sessionId: string; after: number },
): TurnWords[] {
  return db.all<TurnWords>(
    `SELECT ${listColumns(maxLater.prompt, maxLater.text)} FROM sessions s JOIN turns t ON t.session_id = s.id
     WHERE s.project = ?1 AND s.last_event_at > ?2 AND s.id <> ?3 AND t.ended_at > ?2 ORDER BY t.ended_at LIMIT ${maxTurns}`,
    project,
    after,
    sessionId,
  );
}
