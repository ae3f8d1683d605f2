import type { Database } from "../sqlite/sqlite.ts";

/** The texts of a turn: the user's prompt and the agent's last message. */
export interface TurnText {
  id: string;
  /** Empty for a prompt that the host wrote. */
  prompt: string;
  final: string;
  outcome: string | null;
  endedAt: number;
}

/** Maximum text lengths read, in characters: summaries and open ends are at the beginning or the end. */
const maxLengths = { prompt: 4_000, final: 12_000 };
const maxLaterLengths = { prompt: 1_500, final: 3_000 };
const maxTurns = 400;
/** Of a longer session the first turns, which say what it is about, and the last ones are read. */
const firstTurns = 20;

function listColumns(prompt: string, { final }: typeof maxLengths): string {
  return `t.id, coalesce(${prompt}, '') AS prompt, substr(coalesce(t.last_assistant_message, ''), -${final}) AS final, t.outcome,
    t.ended_at AS endedAt`;
}

function joinPrompts({ prompt }: typeof maxLengths): string {
  return `group_concat(substr(p.text, 1, ${prompt}), char(10))`;
}

function selectPrompt(lengths: typeof maxLengths): string {
  return `(SELECT ${joinPrompts(lengths)} FROM prompts p
    WHERE p.session_id = t.session_id AND p.turn_id = t.id AND p.machine = 0)`;
}

/** The ended turns of a session, oldest first. All prompts are read at once: there is no index by turn. */
export function readSessionTurns(db: Database, sessionId: string): TurnText[] {
  return db.all<TurnText>(
    `WITH asked AS MATERIALIZED (SELECT p.turn_id, ${joinPrompts(maxLengths)} AS prompt FROM prompts p
       WHERE p.session_id = ?1 AND p.machine = 0 GROUP BY p.turn_id)
     SELECT ${listColumns("a.prompt", maxLengths)} FROM turns t LEFT JOIN asked a ON a.turn_id = t.id
     WHERE t.session_id = ?1 AND t.ended_at IS NOT NULL AND (t.number <= ${firstTurns}
       OR t.number > (SELECT max(number) FROM turns WHERE session_id = ?1) - ${maxTurns - firstTurns}) ORDER BY t.number`,
    sessionId,
  );
}

/** The last turn of a session that ended. */
export function readLastTurn(db: Database, sessionId: string): TurnText | undefined {
  return db.get<TurnText>(
    `SELECT ${listColumns(selectPrompt(maxLengths), maxLengths)} FROM turns t
     WHERE t.session_id = ? AND t.ended_at IS NOT NULL ORDER BY t.number DESC LIMIT 1`,
    sessionId,
  );
}

/** Ids of the turns of other sessions of the project that ended after a time, oldest first. */
export function listLaterTurns(
  db: Database,
  { project, sessionId, after }: { project: string; sessionId: string; after: number },
): string[] {
  return db
    .all<{ id: string }>(
      `SELECT t.id FROM sessions s JOIN turns t ON t.session_id = s.id
       WHERE s.project = ?1 AND s.last_event_at > ?2 AND s.id <> ?3 AND t.ended_at > ?2 ORDER BY t.ended_at LIMIT ${maxTurns}`,
      project,
      after,
      sessionId,
    )
    .map(({ id }) => id);
}

/** Of a later turn, only the beginning of the request and the end of the result are read. */
export function readLaterTurn(db: Database, id: string): TurnText | undefined {
  return db.get<TurnText>(
    `SELECT ${listColumns(selectPrompt(maxLaterLengths), maxLaterLengths)} FROM turns t WHERE t.id = ?`,
    id,
  );
}
