import { truncate, truncateMiddle } from "../shared/text.ts";
import { redactText } from "../redact/redact-text.ts";
import { memoryTypes } from "../protocol/memory-kinds.ts";
import { AppError } from "../shared/errors.ts";
import { type Database, openDatabase, type Row } from "../sqlite/sqlite.ts";
import { parseJson } from "../shared/json.ts";
import { statSync } from "node:fs";

interface Origin {
  /** The host's session id if known, else claude-mem's own. */
  sessionId: string;
  /** A name only: claude-mem stores no folder. */
  project: string;
  at: number;
  promptNumber: number | null;
}

/** A row of a claude-mem database, redacted and in our own types. */
export type ClaudeMemRow =
  | (Origin & { kind: "observation"; type: (typeof memoryTypes)[number]; title: string } & ForeignNote)
  | (Origin & { kind: "summary"; fields: Record<SummaryField, string> } & ForeignFiles)
  | (Origin & { kind: "prompt"; text: string });

interface ForeignFiles {
  filesRead: string[];
  filesModified: string[];
}
interface ForeignNote extends ForeignFiles {
  narrative: string;
  facts: string[];
  concepts: string[];
}
const summaryFields = {
  request: "request",
  investigated: "investigated",
  learned: "learned",
  completed: "completed",
  nextSteps: "next_steps",
  notes: "notes",
} as const;
type SummaryField = keyof typeof summaryFields;

export interface ClaudeMemPage {
  rows: ClaudeMemRow[];
  /** Number of rows without content. */
  empty: number;
  next: ClaudeMemPosition | undefined;
}
export interface ClaudeMemPosition {
  table: (typeof tables)[number];
  afterId: number;
}

const tables = ["user_prompts", "observations", "session_summaries"] as const;
const pageSize = 50;
/** The maximum time of a `Date`. */
const maxTime = 8.64e15;
/** Older versions wrote seconds: a smaller value is in seconds, not milliseconds. */
const secondsBelow = 100_000_000_000;

/** Reads a claude-mem database of any version, page by page, read-only. */
export function readClaudeMem(
  path: string,
  place: ClaudeMemPosition = { table: tables[0], afterId: 0 },
): ClaudeMemPage {
  const db = openForeign(path);
  try {
    return readPage(db, place);
  } finally {
    db.close();
  }
}

function openForeign(path: string): Database {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new AppError("import_not_found", `Database not found: ${path}.`);
  return openDatabase(path, { readOnly: true });
}

function readPage(db: Database, { table, afterId }: ClaudeMemPosition): ClaudeMemPage {
  const rows = hasTable(db, table)
    ? db.all(
        `SELECT ${cutColumns(db, table)} FROM ${table} WHERE id > ? ORDER BY id LIMIT ?`,
        afterId,
        pageSize,
      )
    : [];
  const read = rows.flatMap((row) => toForeign(db, table, row) ?? []);
  const last = rows.at(-1)?.["id"];
  const following = tables[tables.indexOf(table) + 1];
  const next =
    rows.length === pageSize && typeof last === "number"
      ? { table, afterId: last }
      : following && { table: following, afterId: 0 };
  return { rows: read, empty: rows.length - read.length, next };
}

/** All columns; of a long text only its head and tail, so that a page of huge notes fits into memory. */
function cutColumns(db: Database, table: string): string {
  const columns = columnsOf(db, table).map((name) => `"${name.replaceAll('"', '""')}"`);
  const head = 0.75 * maxList;
  const cut = (name: string) =>
    `CASE WHEN typeof(${name}) = 'text' AND length(${name}) > ${maxList}
     THEN substr(${name}, 1, ${head}) || substr(${name}, ${head - maxList - 1}) ELSE ${name} END AS ${name}`;
  return columns.map(cut).join(", ");
}

function columnsOf(db: Database, table: string): string[] {
  return db.all<{ name: string }>("SELECT name FROM pragma_table_info(?)", table).map(({ name }) => name);
}

function toForeign(db: Database, table: ClaudeMemPosition["table"], row: Row): ClaudeMemRow | undefined {
  const origin = originOf(db, row);
  if (table === "user_prompts") {
    const text = textOf(row["prompt_text"]);
    return text === "" ? undefined : { ...origin, kind: "prompt", text };
  }
  const filesRead = listOf(row["files_read"]);
  const filesModified = listOf(row["files_modified"] ?? row["files_edited"]);
  if (table === "session_summaries") {
    const pairs = Object.entries(summaryFields).map(([name, column]) => [name, textOf(row[column])]);
    const fields = Object.fromEntries(pairs) as Record<SummaryField, string>;
    if (Object.values(fields).every((field) => field === "")) return undefined;
    return { ...origin, kind: "summary", fields, filesRead, filesModified };
  }
  const [subtitle, whole] = [textOf(row["subtitle"]), textOf(row["text"])];
  const narrative = textOf(row["narrative"]) || whole || subtitle;
  const title = truncate(
    textOf(row["title"]) || subtitle || (narrative.split(/(?<=[.!?])\s|\n/)[0] ?? "").slice(0, 100),
    maxTitle,
  );
  if (title === "") return undefined;
  const [facts, concepts] = [listOf(row["facts"]), listOf(row["concepts"])];
  const type = memoryTypes.find((known) => known === row["type"]) ?? "discovery";
  const lead = subtitle && !narrative.includes(subtitle) ? `${subtitle}\n${narrative}` : narrative;
  return {
    ...origin,
    kind: "observation",
    type,
    title,
    narrative: lead.trim(),
    facts,
    concepts,
    filesRead,
    filesModified,
  };
}

function originOf(db: Database, row: Row): Origin {
  const memorySession = nameIn(row, "memory_session_id", "sdk_session_id") ?? "";
  const hostSession = nameIn(row, "content_session_id", "claude_session_id");
  const session = findSession(db, hostSession, memorySession);
  const at = timeOf(row["created_at_epoch"]) || timeOf(Date.parse(nameIn(row, "created_at") ?? ""));
  const promptNumber = Number.isSafeInteger(row["prompt_number"]) ? Number(row["prompt_number"]) : null;
  return {
    sessionId: session.id || `claude-mem:${row["id"]}`,
    project: nameIn(row, "merged_into_project", "project") ?? session.project ?? "claude-mem",
    at: at < secondsBelow ? at * 1000 : at,
    promptNumber,
  };
}

/** A valid time as an integer, or 0: SQLite columns accept any value. */
function timeOf(value: unknown): number {
  const time = Math.trunc(Number(value));
  return time > 0 && time <= maxTime ? time : 0;
}

/** The first of these columns that exists and is not empty. */
function nameIn(row: Row, ...columns: string[]): string | undefined {
  const values = columns.map((column) => row[column]);
  return values
    .find((value): value is string => typeof value === "string" && value !== "")
    ?.slice(0, maxName);
}

/** Columns were renamed between versions: sdk → memory, claude → content. */
function findSession(
  db: Database,
  hostSession: string | undefined,
  memorySession: string,
): { id: string; project: string | undefined } {
  const columns = hasTable(db, "sdk_sessions") ? columnsOf(db, "sdk_sessions") : [];
  const [host, memory] = columns.includes("content_session_id")
    ? ["content_session_id", "memory_session_id"]
    : ["claude_session_id", "sdk_session_id"];
  const found = columns.includes(host)
    ? db.get<{ id: string; project: string }>(
        `SELECT ${host} AS id, project FROM sdk_sessions WHERE ${hostSession === undefined ? memory : host} = ?`,
        hostSession ?? memorySession,
      )
    : undefined;
  return { id: found?.id ?? hostSession ?? memorySession, project: found?.project };
}

function hasTable(db: Database, name: string): boolean {
  return db.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", name) !== undefined;
}

/** Other tools do not limit the length of a text; a note is only a few sentences. */
const maxText = 16_000;
const maxTitle = 300;
/** A project's path or name, or a session's id. */
const maxName = 4_000;

/** A longer list is kept as one text. */
const maxList = 256_000;
const maxListItems = 200;

/** Cuts twice: only a bounded text is redacted, and the middle, where the first cut may split a secret, is dropped. */
function textOf(value: unknown): string {
  if (typeof value !== "string") return "";
  return truncateMiddle(redactText(truncateMiddle(value, 4 * maxText)).text.trim(), maxText);
}

/** Reads a JSON array of strings, or plain text with one item per line. */
function listOf(value: unknown): string[] {
  if (typeof value !== "string" || value.trim() === "") return [];
  if (value.length > maxList) return [textOf(value)];
  let items: unknown[];
  try {
    const parsed: unknown = parseJson(value);
    items = Array.isArray(parsed) ? parsed : [value];
  } catch {
    items = value.split("\n"); // Old versions wrote plain text.
  }
  return items
    .slice(0, maxListItems)
    .map(textOf)
    .filter((item) => item !== "");
}
