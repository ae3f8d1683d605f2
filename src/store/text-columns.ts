import type { Selection } from "./selection.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** A table that contains text of people and tools. */
interface TextColumns {
  table: string;
  into: keyof Selection;
  key: string;
  words: string[];
  /** SQL expressions for the turn the row belongs to, and for its session or project. */
  turn: string;
  owner: string;
}

/**
 * Every table with text. Add a new text column here, or to the list of columns without words below: a test compares
 * both with the schema.
 */
export const textColumns: readonly TextColumns[] = [
  {
    table: "observations",
    into: "observations",
    key: "id",
    turn: "turn_id",
    owner: "project_id",
    words: ["title", "narrative", "facts", "concepts", "files_read", "files_modified", "worktree"],
  },
  {
    table: "summaries",
    into: "summaries",
    key: "id",
    turn: "turn_id",
    owner: "project_id",
    words: [
      "request",
      "investigated",
      "learned",
      "completed",
      "next_steps",
      "notes",
      "files_read",
      "files_modified",
    ],
  },
  {
    table: "prompts",
    into: "prompts",
    key: "event_id",
    turn: "turn_id",
    owner: "session_id",
    words: ["text"],
  },
  {
    table: "events",
    into: "events",
    key: "id",
    turn: "turn_id",
    owner: "session_id",
    words: ["payload", "file_path"],
  },
  {
    table: "turns",
    into: "messages",
    key: "id",
    turn: "id",
    owner: "session_id",
    words: ["last_assistant_message", "loose_facts"],
  },
  {
    table: "sessions",
    into: "titles",
    key: "id",
    turn: "NULL",
    owner: "id",
    words: ["title"],
  },
  {
    table: "deliveries",
    into: "deliveries",
    key: "id",
    turn: "NULL",
    owner: "session_id",
    words: ["body", "sender", "source"],
  },
  {
    table: "questions",
    into: "questions",
    key: "id",
    turn: "NULL",
    owner: "session_id",
    words: ["input", "context", "prompts", "subject", "session_rule", "wording", "earlier", "answer", "note"],
  },
  {
    table: "outbox",
    into: "notices",
    key: "id",
    turn: "NULL",
    owner: "NULL",
    words: ["notice", "error"],
  },
  {
    table: "messages",
    into: "mail",
    key: "id",
    turn: "NULL",
    // The project of the room, else that of the agent who sent it.
    owner: `coalesce(
      (SELECT substr(key, length('project:') + 1) FROM rooms WHERE id = room_id AND kind = 'project'),
      (SELECT p.id FROM agents a JOIN projects p ON p.path = a.project WHERE a.id = agent_id))`,
    words: ["address", "sender", "body", "extra", "error"],
  },
  {
    table: "rooms",
    into: "roomNames",
    key: "id",
    turn: "NULL",
    owner: "CASE kind WHEN 'project' THEN substr(key, length('project:') + 1) END",
    words: ["key", "name"],
  },
  {
    table: "tasks",
    into: "tasks",
    key: "id",
    turn: "NULL",
    owner: "project_id",
    words: ["title", "requester", "owner", "result", "files"],
  },
  {
    table: "injections",
    into: "injections",
    turn: "NULL",
    owner: "session_id",
    key: "json_array(session_id, kind, ref, point)",
    words: ["ref", "reason"],
  },
];

/** Text columns with names, paths and states: they are deleted with the row or the project. */
export const columnsWithoutText: Record<string, readonly string[]> = {
  meta: ["key", "value"],
  agents: ["id", "name", "project", "project_name", "origin"],
  sessions: [
    "id",
    "agent_id",
    "project",
    "cwd",
    "transcript_path",
    "host",
    "pid_started",
    "source",
    "model",
    "status",
    "branch",
    "end_reason",
    "origin",
  ],
  turns: ["id", "session_id", "prompt_id", "origin_kind", "outcome", "origin", "transcript_key"],
  prompts: ["event_id", "session_id", "turn_id", "prompt_id"],
  events: [
    "id",
    "event",
    "session_id",
    "turn_id",
    "subagent_id",
    "tool_name",
    "tool_kind",
    "tool_use_id",
    "via",
    "origin",
  ],
  deliveries: [
    "id",
    "agent_id",
    "kind",
    "state",
    "session_id",
    "injection_point",
    "transcript_path",
    "confirmed_by",
    "message_id",
    "origin",
  ],
  projects: ["id", "path", "name", "fingerprint", "mode", "leases", "origin"],
  observations: [
    "id",
    "project_id",
    "session_id",
    "turn_id",
    "type",
    "source_events",
    "provenance",
    "hash",
    "origin",
    "superseded_by",
    "superseded_because",
    "author",
  ],
  summaries: ["id", "project_id", "session_id", "turn_id", "provenance", "origin"],
  memory_rows: ["kind", "ref", "project_id", "session_id", "type"],
  memory_files: ["path"],
  memory_texts: ["title", "body"],
  vector_models: ["name"],
  injections: ["session_id", "kind", "point", "event_id", "used"],
  imported_files: ["path"],
  tombstones: ["hash"],
  forgotten_spans: ["project_hash"],
  // The deletion request itself: its words are cleared once they are gone from all other tables.
  forgettings: ["target", "erasure"],
  model_turns: ["turn_id", "project_id", "plain", "state", "note"],
  model_calls: ["id", "turn_id", "project_id", "provider", "model", "day", "outcome", "origin"],
  questions: [
    "id",
    "kind",
    "hook_id",
    "project",
    "project_name",
    "agent_id",
    "agent",
    "session_id",
    "subagent_id",
    "subagent",
    "pid_started",
    "tool_name",
    "tool_use_id",
    "input_hash",
    "urgency",
    "state",
    "verdict",
    "place",
    "answered_by",
    "origin",
  ],
  outbox: [
    "id",
    "channel",
    "key",
    "kind",
    "state",
    "question_id",
    "ticket",
    "input_hash",
    "place",
    "shown",
    "origin",
  ],
  mail_cursors: ["user_id", "since"],
  recall_outcomes: ["observation_id"],
  rooms: ["id", "kind", "origin"],
  messages: ["id", "event_id", "room_id", "user_id", "agent_id", "kind", "reply_to", "state", "origin"],
  tasks: ["id", "project_id", "state", "event_id", "origin"],
  leases: ["id", "project_id", "holder", "globs", "task_id", "origin"],
  people: ["id", "channel", "sender", "team", "name", "origin"],
  pairings: ["id", "channel", "name", "code_hash"],
  replies: ["channel", "id", "result"],
  audit: ["action", "result", "place", "who", "question_id", "detail", "origin"],
  observation_claims: ["observation_id"],
  note_turns: ["turn_id", "note_id"],
  folder_files: ["root", "path", "project_id"],
  note_disputes: ["note_id", "other_id"],
  hub_projects: ["project_id", "hub_id"],
  hub_records: ["hub_id", "id", "note_id", "state"],
  hub_outbox: ["hub_id", "id", "reason"],
};

const pageSize = 200;

/** Passes the text of every row with words to the caller, one page at a time. */
export function readTexts(
  db: Database,
  take: (
    place: TextColumns,
    row: { key: string; turn: string | null; owner: string | null; text: string },
  ) => void,
): void {
  for (const place of textColumns) {
    const { table, key, turn, owner, words } = place;
    const select = `SELECT ${key} AS key, ${turn} AS turn, ${owner} AS owner, concat_ws(char(10), ${words.join(", ")}) AS text`;
    if (table === "injections") {
      for (const row of db.all<never>(`${select} FROM injections`)) take(place, row);
      continue;
    }
    for (let after = 0; ; ) {
      const rows = db.all<{
        at: number;
        key: string;
        turn: string | null;
        owner: string | null;
        text: string;
      }>(`${select}, rowid AS at FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${pageSize}`, after);
      for (const row of rows) take(place, row);
      const last = rows.at(-1);
      if (!last) break;
      after = last.at;
    }
  }
}
