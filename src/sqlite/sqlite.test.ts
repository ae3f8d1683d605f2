import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "./sqlite.ts";

test("work that outlives its connection does not take the next file for a damaged one", () => {
  const folder = mkdtempSync(join(tmpdir(), "rk-sqlite-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "a.db");
  const damages: unknown[] = [];
  const db = openDatabase(path, { onDamage: (error) => damages.push(error) });
  db.script("CREATE TABLE t (n)");
  const work = [
    () => db.run("INSERT INTO t VALUES (1)"),
    () => db.get("SELECT n FROM t"),
    () => db.all("SELECT n FROM t"),
    () => db.transaction(() => db.run("INSERT INTO t VALUES (1)")),
  ];
  for (const each of work) each();
  db.close();
  renameSync(path, join(folder, "set-aside.db"));
  writeFileSync(path, "another file");
  for (const each of work) expect(each).toThrow(expect.objectContaining({ code: "store_closed" }));
  expect(damages).toEqual([]);
});
