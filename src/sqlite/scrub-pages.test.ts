import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eraseBytes } from "./erase-bytes.ts";
import { type Database, openDatabase, type Value } from "./sqlite.ts";
import { openUpkeep } from "./upkeep.ts";

const planted = "quillfeather";
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rk-scrub-"));
  path = join(folder, "x.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the same sequence for the same seed. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const schema = `CREATE TABLE notes (id TEXT PRIMARY KEY, title TEXT, body TEXT);
  CREATE INDEX notes_by_title ON notes(title);
  CREATE TABLE names (name TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID;
  CREATE VIRTUAL TABLE words USING fts5 (body, content = '', contentless_delete = 1)`;

/** Inserts and deletes rows of all sizes in every kind of B-tree in random order, so that pages split and merge often. */
function fill(seed: number, rows: number) {
  const random = makeRandom(seed);
  const db = openDatabase(path);
  db.script(schema);
  const write = (isPlanted: boolean): string => {
    let text = isPlanted ? `${planted} ` : "";
    for (const length = random() ** 3 * 6_000; text.length < length; )
      text += ` ${Math.floor(random() * 1e6).toString(36)}`;
    return text;
  };
  for (let n = 1; n <= rows; n++) {
    const isPlanted = random() < 0.3;
    const id = `${Math.floor(random() * 1e9)}${isPlanted && n % 3 === 0 ? planted : ""}`;
    db.transaction(() => {
      db.run(
        "INSERT OR REPLACE INTO notes VALUES (?, ?, ?)",
        id,
        write(isPlanted).slice(0, 90),
        write(isPlanted),
      );
      db.run("INSERT OR REPLACE INTO names VALUES (?, ?)", id, write(isPlanted).slice(0, 400));
      db.run("INSERT INTO words (rowid, body) VALUES (?, ?)", n, write(isPlanted).slice(0, 300));
      if (random() < 0.3)
        db.run("UPDATE notes SET body = ? WHERE rowid = ?", write(random() < 0.2), Math.floor(random() * n));
    });
  }
  return db;
}

const count = (): number => readFileSync(path, "latin1").split(planted).length - 1;

test.each([1, 2, 3])("no byte of deleted rows is left, and the database is intact (%i)", async (seed) => {
  const db = fill(seed, 1_200);
  const upkeep = openUpkeep(db, { path, index: "words" });
  const like = `%${planted}%`;
  db.run("DELETE FROM notes WHERE id LIKE ?1 OR title LIKE ?1 OR body LIKE ?1", like);
  db.run("DELETE FROM names WHERE name LIKE ?1 OR body LIKE ?1", like);
  db.run("DELETE FROM words WHERE rowid IN (SELECT rowid FROM words WHERE words MATCH ?)", planted);
  const before = db.all("SELECT * FROM notes ORDER BY id");
  upkeep.checkpoint();
  expect(count()).toBeGreaterThan(0);

  const { pages, isComplete } = await eraseBytes(upkeep, nextTurn);
  expect(isComplete).toBe(true);
  expect(pages).toBeGreaterThan(0);
  expect(count()).toBe(0);
  expect(db.get("PRAGMA integrity_check")).toEqual({ integrity_check: "ok" });
  db.run("INSERT INTO words (words) VALUES ('integrity-check')");
  expect(db.all("SELECT * FROM notes ORDER BY id")).toEqual(before);

  // Cached pages must not be written back either.
  db.run("UPDATE notes SET title = title || 'x'");
  upkeep.checkpoint();
  expect(count()).toBe(0);
  db.close();
  upkeep.close();
});

test("does not wait for a blocking reader, and reports an incomplete erasure", async () => {
  const db = fill(4, 50);
  const upkeep = openUpkeep(db, { path, index: "words" });
  const reader = openDatabase(path, { readOnly: true });
  reader.script("BEGIN; SELECT count(*) FROM notes");
  db.run("DELETE FROM notes");
  const startedAt = performance.now();
  expect(upkeep.checkpoint()).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(2_000); // The busy timeout of the connection.
  expect((await eraseBytes(upkeep, nextTurn, { attempts: 2, betweenMs: 1 })).isComplete).toBe(false);
  reader.close();
  expect((await eraseBytes(upkeep, nextTurn)).isComplete).toBe(true);
  db.close();
  upkeep.close();
});

test("pages are left alone while another connection writes", () => {
  const db = fill(7, 200);
  db.run("DELETE FROM notes");
  const other = openDatabase(path);
  let interleaved = 0;
  /** Another program commits right after our checkpoint. */
  const raced: Database = {
    ...db,
    get<T>(sql: string, ...values: Value[]) {
      const row = db.get<T>(sql, ...values);
      if (sql.includes("wal_checkpoint") && interleaved++ === 0)
        other.run("INSERT INTO notes VALUES ('late', 'late', 'late')");
      return row;
    },
  };
  const upkeep = openUpkeep(raced, { path, index: "words" });
  expect(upkeep.scrub()).toBeUndefined();
  expect(upkeep.scrub()?.scrubbed).toBeGreaterThan(0);
  expect(db.get("PRAGMA integrity_check")).toEqual({ integrity_check: "ok" });
  expect(other.get("SELECT title FROM notes")).toEqual({ title: "late" });

  other.script("BEGIN IMMEDIATE");
  expect(upkeep.scrub()).toBeUndefined();
  other.script("ROLLBACK");
  upkeep.close();
  other.close();
  db.close();
});
