import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parseQuery } from "../domain/memory/query.ts";
import { openMemorySearch } from "./memory-search.ts";
import { openStore } from "./open-store.ts";
import { endReindexing, isReindexing, putReindexed, reindexRows } from "./reindex-rows.ts";

const folder = mkdtempSync(join(tmpdir(), "rk-reindex-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("rows of an older index are indexed again, except rows that would not change", () => {
  const path = join(folder, "rookery.db");
  const store = openStore(path, () => 0);
  const row = { path: "/p", name: "p", fingerprint: null, mode: "on", leases: "warn", createdAt: 0 } as const;
  store.projects.insert({ ...row, id: "p" });
  const texts = { ja: "接続プールが枯渇した", en: "the pool ran dry", ko: "연결 풀이 고갈되었다" };
  for (const [ref, body] of Object.entries(texts))
    store.index.put({
      kind: "message",
      ref,
      projectId: "p",
      sessionId: null,
      type: null,
      createdAt: 0,
      title: "",
      body,
      files: ["src/pool.ts"],
    });
  // As an older version of Rookery left it.
  for (const { row, body, kind } of store.db.all<{ row: number; body: string; kind: string }>(
    "SELECT r.rowid AS row, t.body, r.kind FROM memory_rows r JOIN memory_texts t ON t.row = r.rowid",
  )) {
    store.db.run("DELETE FROM memory_fts WHERE rowid = ?", row);
    store.db.run(
      "INSERT INTO memory_fts (rowid, title, body, pieces, scope) VALUES (?, '', ?, '', ?)",
      row,
      body,
      `xpp0 xk${kind}0`,
    );
  }
  store.db.run("INSERT INTO reindexing (next, until) SELECT 1, max(rowid) FROM memory_rows");

  const search = openMemorySearch(path);
  const find = (text: string): string[] =>
    search.find(parseQuery(text), { projectIds: ["p"] }, 10).map(({ ref }) => ref);
  expect(find("枯渇")).toEqual([]);

  const first = reindexRows(store.db, 2);
  expect(first?.rows.map(({ row }) => row)).toEqual([1]);
  if (first) store.db.transaction(() => putReindexed(store.db, first));
  const second = reindexRows(store.db, 2);
  if (second) store.db.transaction(() => putReindexed(store.db, second));
  expect(reindexRows(store.db, 2)).toBeUndefined();
  expect([find("枯渇"), find("고갈"), find("ran dry")]).toEqual([["ja"], ["ko"], ["en"]]);

  endReindexing(store.db);
  expect(isReindexing(store.db)).toBe(false);
  search.close();
  store.close();
});
