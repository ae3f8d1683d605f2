import type { MemoryKind as ApiKind } from "../protocol/memory-kinds.ts";
import type { MemoryKind } from "./memory-index.ts";
import type { Database } from "../sqlite/sqlite.ts";

export interface RowText {
  title: string;
  body: string;
  type: string | null;
  /** For a prompt: the agent's last message of its turn. It is searched like the prompt itself. */
  answer?: string | null;
}

/** The middle of a long answer is not searched. */
const maxAnswer = { head: 6_000, tail: 2_000 };

/** The text that is searched: the body, and the answer of a prompt. */
export function searchedText({ body, answer }: Pick<RowText, "body" | "answer">): string {
  if (!answer) return body;
  const { head, tail } = maxAnswer;
  const said = answer.length <= head + tail ? answer : `${answer.slice(0, head)}\n${answer.slice(-tail)}`;
  return `${body}\n${said}`;
}

/** Queries for the text of each kind. The index itself stores the text of kinds not listed here. */
const textOf: Partial<Record<MemoryKind, string>> = {
  // One damaged row must not prevent the others from being read.
  observation: `SELECT title, narrative || coalesce((SELECT char(10) || group_concat(value, char(10))
      FROM json_each(iif(json_valid(facts), facts, '[]'))), '') AS body, type FROM observations WHERE id = ?`,
  summary:
    "SELECT request AS title, completed || char(10) || learned || char(10) || next_steps AS body, NULL AS type FROM summaries WHERE id = ?",
  prompt: `SELECT '' AS title, text AS body, NULL AS type, (SELECT last_assistant_message FROM turns t WHERE t.id = turn_id) AS answer
    FROM prompts WHERE event_id = ?`,
};

/** The readable text of a row. */
export function readText(
  db: Database,
  { row, kind, ref }: { row: number; kind: MemoryKind; ref: string },
): RowText {
  const sql = textOf[kind];
  const text = sql
    ? db.get<RowText>(sql, ref)
    : db.get<RowText>("SELECT title, body, NULL AS type FROM memory_texts WHERE row = ?", row);
  return text ?? { title: "", body: "", type: null };
}

/** An indexed row with its text. */
interface IndexedRow extends RowText {
  projectId: string;
  sessionId: string | null;
  createdAt: number;
}

export function readIndexed(db: Database, kind: MemoryKind, ref: string): IndexedRow | undefined {
  const found = db.get<{ row: number; projectId: string; sessionId: string | null; createdAt: number }>(
    `SELECT rowid AS row, project_id AS projectId, session_id AS sessionId, created_at AS createdAt
       FROM memory_rows WHERE kind = ? AND ref = ?`,
    kind,
    ref,
  );
  if (!found) return undefined;
  const { row, ...about } = found;
  return { ...about, ...readText(db, { row, kind, ref }) };
}

/** The API calls `note` what the store calls `observation`. */
export function toStoredKind(kind: ApiKind): MemoryKind {
  return kind === "note" ? "observation" : kind;
}

export function toMemoryKind(kind: MemoryKind): ApiKind {
  return kind === "observation" ? "note" : kind;
}
