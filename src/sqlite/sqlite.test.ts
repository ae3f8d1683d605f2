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

test("a reader sees the last commit while another connection writes, and does not block it", () => {
  const folder = mkdtempSync(join(tmpdir(), "rk-sqlite-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "a.db");
  const writer = openDatabase(path);
  writer.script("CREATE TABLE t (n)");
  const reader = openDatabase(path, { readOnly: true });
  const count = () => reader.get<{ n: number }>("SELECT count(*) AS n FROM t")?.n;
  writer.transaction(() => {
    writer.run("INSERT INTO t VALUES (1)");
    expect(count()).toBe(0);
  });
  expect(count()).toBe(1);
  reader.script("BEGIN");
  expect(count()).toBe(1);
  writer.run("INSERT INTO t VALUES (2)");
  expect(count()).toBe(1);
  reader.script("COMMIT");
  expect(count()).toBe(2);
  reader.close();
  writer.close();
});
