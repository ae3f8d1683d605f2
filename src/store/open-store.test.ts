import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore, rewriteKey } from "./open-store.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rk-store-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a file that cannot release pages is rewritten at the next start, once it is requested", () => {
  const path = join(folder, "x.db");
  const old = openStore(path, () => 0);
  old.db.script("PRAGMA auto_vacuum = NONE; VACUUM");
  old.close();
  const before = openStore(path, () => 0);
  expect(before.upkeep.measure().isIncremental).toBe(false);
  before.meta.set(rewriteKey, "1");
  before.close();
  const after = openStore(path, () => 0);
  expect(after.upkeep.measure().isIncremental).toBe(true);
  expect(after.meta.get(rewriteKey)).toBeUndefined();
  after.close();
});
