import * as fc from "fast-check";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll } from "vitest";
import { importClaudeMemRow } from "../../src/daemon/import/import-claude-mem.ts";
import { makeExportImporter } from "../../src/daemon/import/import-jsonl.ts";
import { readJsonl } from "../../src/daemon/import/read-jsonl.ts";
import { parseQuery, parseTyping } from "../../src/domain/memory/query.ts";
import type { ImportState } from "../../src/protocol/import.ts";
import { readClaudeMem } from "../../src/store/claude-mem-reader.ts";
import { openMemorySearch } from "../../src/store/memory-search.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { fuzz } from "./fuzz.ts";
import { changed, jsonText, text } from "./hostile.ts";

const folder = mkdtempSync(join(tmpdir(), "rk-fuzz-"));
const store = openStore(join(folder, "rookery.db"), () => 1_700_000_000_000);
/** Of its own, because the imports fill theirs. */
const searched = openStore(join(folder, "searched.db"), () => 1_700_000_000_000);
const search = openMemorySearch(join(folder, "searched.db"));
afterAll(() => {
  search.close();
  searched.close();
  store.close();
  rmSync(folder, { recursive: true });
});

const base = { origin: "o", created_at: 1 };
const note = {
  ...{
    kind: "observation",
    id: "n1",
    project_id: "p",
    session_id: "s",
    turn_id: "t",
    prompt_number: 1,
    worktree: null,
  },
  ...{
    type: "decision",
    title: "Use SQLite",
    narrative: "Because it is local.",
    facts: ["one"],
    concepts: ["db"],
  },
  ...{
    files_read: ["a.ts"],
    files_modified: [],
    source_events: [],
    tokens: 9,
    provenance: "distil",
    hash: "h",
  },
  updated_at: 1,
  superseded_by: null,
  superseded_at: null,
  superseded_because: null,
  ...base,
};
const rows: Record<string, unknown>[] = [
  { kind: "rookery-export", version: 1, at: 1, origin: "o" },
  { kind: "project", id: "p", path: "/p", name: "p", fingerprint: null, mode: "on", ...base },
  {
    kind: "session",
    id: "s",
    project: "/p",
    cwd: "/p",
    source: "startup",
    model: null,
    title: null,
    started_at: 1,
    last_event_at: 2,
    origin: "o",
  },
  {
    ...{
      kind: "turn",
      id: "t",
      session_id: "s",
      prompt_id: "i",
      number: 1,
      origin_kind: "human",
      outcome: "completed",
    },
    started_at: 1,
    ended_at: 2,
    transcript_key: null,
    origin: "o",
  },
  {
    ...{
      kind: "prompt",
      event_id: "e",
      session_id: "s",
      turn_id: "t",
      prompt_id: "i",
      number: 1,
      text: "Why?",
    },
    machine: 0,
    occurred_at: 1,
  },
  {
    ...{
      kind: "summary",
      id: "u",
      project_id: "p",
      session_id: "s",
      turn_id: null,
      request: "r",
      investigated: "",
    },
    ...{
      learned: "l",
      completed: "",
      next_steps: "",
      notes: "",
      files_read: [],
      files_modified: [],
      provenance: "x",
      ...base,
    },
  },
  note,
  { kind: "end", rows: 7 },
];

fuzz(
  "exports",
  fc.array(
    fc.oneof(
      changed(rows).map((row) => JSON.stringify(row)),
      jsonText,
    ),
    { maxLength: 8 },
  ),
  (lines) => importRows(store, [...rows.slice(0, 5).map((row) => JSON.stringify(row)), ...lines]),
);

function importRows(into: Store, lines: readonly string[]): void {
  const path = join(folder, "export.jsonl");
  writeFileSync(path, lines.join("\n"));
  const keeper = makeExportImporter(into, { project: undefined, since: 0 }, makeImportState(), 5);
  into.db.transaction(() => {
    for (const row of readJsonl({ path, fromByte: 0 }).rows) keeper.add(row);
  });
}

const cell = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.constant(null),
  jsonText,
  fc.uint8Array({ maxLength: 4 }),
);
const foreign = new DatabaseSync(join(folder, "claude-mem.db"));
const columns = [
  "memory_session_id",
  "project",
  "type",
  "title",
  "narrative",
  "facts",
  "concepts",
  "files_read",
  "created_at_epoch",
  "prompt_number",
];
foreign.exec("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF"); // Two commits per case.
foreign.exec(`CREATE TABLE observations (id INTEGER PRIMARY KEY, ${columns.join(", ")})`);
const insert = foreign.prepare(`INSERT INTO observations VALUES (1, ${columns.map(() => "?").join(", ")})`);

fuzz(
  "databases of claude-mem",
  fc.array(cell, { minLength: columns.length, maxLength: columns.length }),
  (cells) => {
    foreign.exec("DELETE FROM observations");
    insert.run(...cells);
    const { rows: read } = readClaudeMem(join(folder, "claude-mem.db"), {
      table: "observations",
      afterId: 0,
    });
    store.db.transaction(() => {
      for (const row of read) importClaudeMemRow(store, row, makeImportState(), 5);
    });
  },
);

importRows(
  searched,
  rows.map((row) => JSON.stringify(row)),
);
fuzz("searches", text, (query) => search.find(parseQuery(query), {}, 10));
fuzz("searches with filters", text, (query) => {
  search.search(parseTyping(query), { file: query, folder: query, types: [query] }, 10);
});

function makeImportState(): ImportState {
  const counts = {
    files: 0,
    filesDone: 0,
    filesKnown: 0,
    filesLeftOut: 0,
    bytes: 0,
    bytesDone: 0,
    damaged: 0,
  };
  const stored = {
    expiring: 0,
    cleanupDays: 0,
    sessions: 0,
    turns: 0,
    turnsKnown: 0,
    notes: 0,
    summaries: 0,
    prompts: 0,
  };
  return {
    state: "running",
    source: "jsonl",
    dryRun: false,
    startedAt: 1,
    endedAt: null,
    ...counts,
    ...stored,
    error: null,
  };
}
