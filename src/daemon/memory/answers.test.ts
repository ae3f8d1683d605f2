import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parseQuery } from "../../domain/memory/query.ts";
import { makeForgetters } from "../../store/forget-rows.ts";
import { openMemorySearch } from "../../store/memory-search.ts";
import { openStore, type Store } from "../../store/open-store.ts";
import { endReindexing, putReindexed, reindexRows } from "../../store/reindex-rows.ts";
import { importTurn } from "../import/import-turn.ts";
import type { DistilledTurn } from "../transcripts/transcript-reader.ts";

const folder = mkdtempSync(join(tmpdir(), "rk-answers-"));
afterAll(() => rmSync(folder, { recursive: true }));

const turn = {
  sessionId: "s1",
  promptId: "p1",
  key: "k1",
  startedAt: 1,
  endedAt: 2,
  cwd: folder,
  gitBranch: null,
  prompt: "which queue should we take?",
  isMachine: false,
  outcome: "completed",
  notes: [],
  final: "RabbitMQ, because the broker already runs for billing.",
} as unknown as DistilledTurn;

function open(
  name: string,
  summary?: DistilledTurn["summary"],
): { store: Store; find(words: string): string[] } {
  const path = join(folder, name);
  const store = openStore(path, () => 3);
  const from = { host: "claude-code", path: join(folder, "s1.jsonl"), sessionId: "s1", mtime: 2 };
  store.db.transaction(() => importTurn(store, { ...turn, summary }, from, () => 3));
  const find = (words: string): string[] => {
    const search = openMemorySearch(path);
    const hits = search.find(parseQuery(words), {}, 5).map(({ kind, snippet }) => `${kind}: ${snippet}`);
    search.close();
    return hits;
  };
  return { store, find };
}

test("a prompt is found by what the agent answered, and the answer is shown", () => {
  const { store, find } = open("found.db");
  expect(find("billing broker")).toEqual([expect.stringContaining("the broker already runs for billing")]);
  store.close();
});

test("a summary without results does not come before the prompt, which has the answer", () => {
  const empty = { investigated: "", learned: "", completed: "", nextSteps: "", notes: "" };
  const summary = { ...empty, request: turn.prompt, filesRead: [], filesModified: [] };
  const { store, find } = open("empty.db", summary);
  expect(find("which queue should we take")[0]).toContain("prompt: ");
  store.close();
  const filled = open("filled.db", { ...summary, completed: "Chose the queue of billing" });
  expect(filled.find("which queue should we take")[0]).toContain("summary: ");
  filled.store.close();
});

test("a forgotten answer leaves no word in the index, and the prompt stays", () => {
  const { store, find } = open("forgotten.db");
  const id = store.turns.ofSession("s1")[0]?.id as string;
  store.db.transaction(() => makeForgetters(store.db, store.index).messages(id));
  expect(find("rabbitmq")).toEqual([]);
  expect(store.db.all("SELECT term FROM memory_vocab WHERE term = 'rabbitmq'")).toEqual([]);
  expect(find("which queue")).toEqual(["prompt: which queue should we take?"]);
  store.close();
});

test("prompts that an older version indexed without their answers get them in the background", () => {
  const { store, find } = open("older.db");
  store.db.run("DELETE FROM memory_fts");
  store.db.run("INSERT INTO reindexing (next, until) SELECT 1, max(rowid) FROM memory_rows");
  for (let batch = reindexRows(store.db, 10); batch; batch = reindexRows(store.db, 10)) {
    const made = batch;
    store.db.transaction(() => putReindexed(store.db, made));
  }
  endReindexing(store.db);
  expect(find("rabbitmq")).toHaveLength(1);
  store.close();
});
