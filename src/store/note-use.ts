import type { NoteUse } from "../domain/memory/note-use.ts";
import type { ProjectUse, RecallUseView } from "../protocol/today.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** A note that was recalled in a session, and whether it was used. */
export interface JudgedUse {
  sessionId: string;
  ref: string;
  point: string;
  used: NoteUse;
}

/** A note that was recalled in a turn. */
interface GivenNote {
  ref: string;
  point: string;
  text: string;
  /** The file whose first use recalled it. */
  filePath: string | null;
}

export function markUse(db: Database, { sessionId, ref, point, used }: JudgedUse): void {
  db.run(
    "UPDATE injections SET used = ? WHERE session_id = ? AND kind = 'observation' AND ref = ? AND point = ?",
    used,
    sessionId,
    ref,
    point,
  );
}

/** The notes that were given in full during a turn. */
export function listGiven(db: Database, sessionId: string, turnId: string): GivenNote[] {
  return db.all<GivenNote>(
    `SELECT i.ref, i.point, o.title || ' ' || o.narrative AS text, file_path AS filePath
     FROM injections i JOIN events e ON e.id = i.event_id JOIN observations o ON o.id = i.ref
     WHERE i.session_id = ? AND i.kind = 'observation' AND i.point <> 'session.started' AND e.turn_id = ?`,
    sessionId,
    turnId,
  );
}

/** The rows of the start context of a session. */
export function listStartRows(db: Database, sessionId: string): { ref: string; point: string }[] {
  return db.all(
    "SELECT ref, point FROM injections WHERE session_id = ? AND kind = 'observation' AND point = 'session.started'",
    sessionId,
  );
}

/** The inputs of our own tool that returns notes in full. */
export function listOpened(db: Database, sessionId: string, turnId: string): string[] {
  return db
    .all<{ input: string | null }>(
      `SELECT payload -> '$.tool_input' AS input FROM events WHERE session_id = ? AND turn_id = ? AND event = 'tool.after'
         AND tool_kind = 'housekeeping' AND tool_name GLOB '*memory_get'`,
      sessionId,
      turnId,
    )
    .flatMap(({ input }) => input?.match(/[0-9a-f][0-9a-f-]{3,}/g) ?? []);
}

const maxNotes = 60;

interface UseRow {
  project: string;
  sessionId: string;
  agent: string;
  kind: string;
  ref: string;
  point: string;
  tokens: number;
  used: NoteUse | null;
  at: number;
  title: string | null;
}

/** Per project: the tokens that memory cost, the notes that were recalled, and which of them were used. */
export function readRecallUse(db: Database, { from, to }: { from: number; to: number }): RecallUseView {
  const rows = db.all<UseRow>(
    `SELECT a.project_name AS project, i.session_id AS sessionId, a.name AS agent, i.kind, i.ref, i.point, i.tokens, i.used, i.at, o.title
     FROM injections i JOIN sessions s ON s.id = i.session_id JOIN agents a ON a.id = s.agent_id
       LEFT JOIN observations o ON i.kind = 'observation' AND o.id = i.ref
     WHERE i.at >= ? AND i.at < ? ORDER BY i.at DESC`,
    from,
    to,
  );
  const spent = new Map(
    db
      .all<{ project: string; usd: number }>(
        `SELECT p.name AS project, coalesce(sum(c.usd), 0) AS usd FROM model_calls c JOIN projects p ON p.id = c.project_id
         WHERE c.started_at >= ? AND c.started_at < ? GROUP BY p.name`,
        from,
        to,
      )
      .map(({ project, usd }) => [project, usd]),
  );
  const projects = [...Map.groupBy(rows, ({ project }) => project)].map(([project, own]): ProjectUse => {
    // A row of the start context is only a title; it counts as recalled if the agent opened or named it.
    const given = own.filter(
      ({ kind, point, used }) =>
        kind === "observation" && (point !== "session.started" || used === "opened" || used === "named"),
    );
    return {
      project,
      sessions: new Set(own.map(({ sessionId }) => sessionId)).size,
      tokens: own.reduce((sum, { tokens }) => sum + tokens, 0),
      usd: spent.get(project) ?? 0,
      recalled: given.length,
      used: given.filter(({ used }) => used !== null && used !== "no").length,
      undecided: given.filter(({ used }) => used === null).length,
      notes: given.slice(0, maxNotes).map(({ ref, title, agent, sessionId, used, at }) => ({
        id: ref,
        title: title ?? "",
        agent,
        session: sessionId,
        used,
        at,
      })),
    };
  });
  return { projects: projects.toSorted((a, b) => b.tokens - a.tokens || a.project.localeCompare(b.project)) };
}
