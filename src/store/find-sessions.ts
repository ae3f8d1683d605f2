import type { Database, Value } from "../sqlite/sqlite.ts";

export interface FindSessionsJob {
  /** Each word must be in the title, the agent's name, the branch or a prompt of the person. */
  words: string[];
  /** Paths of projects; undefined for all. */
  projects: string[] | undefined;
  host: string | undefined;
  before: { lastEventAt: number; startedAt: number; id: string } | undefined;
  limit: number;
}

/** Ids of matching sessions, newest first. Reads the prompts of every session, so it runs in a worker. */
export function findSessions(db: Database, job: FindSessionsJob): string[] {
  const { words, projects, host, before, limit } = job;
  const conditions = ["1"];
  const values: Value[] = [];
  if (projects) {
    conditions.push("s.project IN (SELECT value FROM json_each(?))");
    values.push(JSON.stringify(projects));
  }
  if (host) {
    conditions.push("s.host = ?");
    values.push(host);
  }
  if (before) {
    conditions.push("(s.last_event_at, s.started_at, s.id) < (?, ?, ?)");
    values.push(before.lastEventAt, before.startedAt, before.id);
  }
  for (const word of words) {
    conditions.push(`(concat_ws(' ', s.title, s.branch, a.name) LIKE ? ESCAPE '\\'
      OR EXISTS (SELECT 1 FROM prompts p WHERE p.session_id = s.id AND p.machine = 0 AND p.text LIKE ? ESCAPE '\\'))`);
    const pattern = `%${word.replace(/[\\%_]/g, String.raw`\$&`)}%`;
    values.push(pattern, pattern);
  }
  return db
    .all<{ id: string }>(
      `SELECT s.id FROM sessions s JOIN agents a ON a.id = s.agent_id WHERE ${conditions.join(" AND ")}
       ORDER BY s.last_event_at DESC, s.started_at DESC, s.id DESC LIMIT ?`,
      ...values,
      limit,
    )
    .map(({ id }) => id);
}
