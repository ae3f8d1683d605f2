// Texts in an index of their own, and questions about them. Used by `npm run bench:search` and `scripts/train-rank.ts`.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type IndexEntry, openMemoryIndex } from "../../src/store/memory-index.ts";
import { embedRows } from "../../src/store/embed-rows.ts";
import { openEmbedder } from "../../src/store/embedder.ts";
import { type MemorySearch, openMemorySearch } from "../../src/store/memory-search.ts";
import { migrate } from "../../src/sqlite/migrate.ts";
import { loadStoreMigrations } from "../../src/store/store-migrations.ts";
import { type Database, openDatabase } from "../../src/sqlite/sqlite.ts";
import { openVectorTable } from "../../src/store/vector-table.ts";

export interface Doc {
  id: string;
  project: string;
  session: string | null;
  kind: IndexEntry["kind"];
  title: string;
  text: string;
  files: string[];
  at: number;
}

export interface Question {
  text: string;
  project: string | undefined;
  gold: string[];
  half: "tune" | "held";
}

export interface DataSet {
  name: string;
  docs: Doc[];
  questions: Question[];
}

const embedder = openEmbedder();

export interface Indexed {
  words: MemorySearch;
  hybrid: MemorySearch;
  close(): void;
}

export function openIndexed(docs: readonly Doc[]): Indexed {
  const folder = mkdtempSync(join(tmpdir(), "rk-search-"));
  const path = join(folder, "rookery.db");
  const db = openDatabase(path);
  migrate(db, loadStoreMigrations());
  // These texts have no sessions.
  db.script("PRAGMA foreign_keys = OFF");
  const index = openMemoryIndex(db);
  for (const project of new Set(docs.map((doc) => doc.project)))
    db.run("INSERT INTO projects (id, path, name, created_at, origin) VALUES (?1, ?1, ?1, 0, '')", project);
  for (let start = 0; start < docs.length; start += 500)
    db.transaction(() => {
      for (const doc of docs.slice(start, start + 500)) {
        const { id, project, session, kind, title, text, files, at } = doc;
        insertText(db, doc);
        index.put({
          kind,
          ref: id,
          projectId: project,
          sessionId: session,
          type: null,
          createdAt: at,
          title,
          body: text,
          files,
        });
      }
    });
  const vectors = openVectorTable(db);
  for (let batch = embedRows(db, embedder, 500); batch; batch = embedRows(db, embedder, 500)) {
    const made = batch;
    db.transaction(() => vectors.put(made));
  }
  const words = openMemorySearch(path);
  const hybrid = openMemorySearch(path, embedder);
  while (hybrid.refresh());
  return {
    words,
    hybrid,
    close() {
      words.close();
      hybrid.close();
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The text used to explain and embed a hit. */
function insertText(db: Database, { id, project, title, text, kind, at }: Doc): void {
  const sql = {
    observation: `INSERT INTO observations (id, project_id, type, title, narrative, facts, concepts, files_read, files_modified,
        source_events, tokens, provenance, hash, created_at, updated_at, origin)
      VALUES (?1, ?2, 'discovery', ?3, ?4, '', '[]', '[]', '[]', '[]', 0, 'bench', ?1, ?5, ?5, '')`,
    summary: `INSERT INTO summaries (id, project_id, session_id, request, investigated, learned, completed, next_steps, notes,
        files_read, files_modified, provenance, created_at, origin)
      VALUES (?1, ?2, '', ?3, '', '', ?4, '', '', '[]', '[]', 'bench', ?5, '')`,
    prompt:
      "INSERT INTO prompts (event_id, session_id, turn_id, number, text, machine, occurred_at) VALUES (?1, '', '', 1, ?4, 0, ?5)",
  };
  if (kind in sql) db.run(sql[kind as keyof typeof sql], id, project, title, text, at);
}

/** Our own questions about invented coding sessions. */
export function readOwnQuestions(): DataSet {
  const path = fileURLToPath(new URL("../fixtures/questions/", import.meta.url));
  const files = readdirSync(path).filter((file) => file.endsWith(".jsonl"));
  const rows = files.flatMap((file) => readLines(join(path, file)));
  return {
    name: "coding-memory questions",
    docs: rows
      .filter(({ type }) => type === "doc")
      .map(({ id, project, session, kind, title, text, files, at }) => ({
        id,
        project,
        session,
        kind,
        title: title ?? "",
        text,
        files: files ?? [],
        at: Date.parse(at),
      })),
    questions: rows
      .filter(({ type }) => type === "query")
      .map(({ text, gold, split }) => ({ text, project: undefined, gold, half: split })),
  };
}

export function readLines(path: string): any[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
