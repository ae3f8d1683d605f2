import { existsSync, mkdtempSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { silentLog } from "../../shared/log.ts";
import { backUp } from "../../sqlite/backup.ts";
import { findDamage, openDatabase } from "../../sqlite/sqlite.ts";
import { openStore, type Store } from "../../store/open-store.ts";
import { type DailyChecks, type DailyDeps, openDailyChecks } from "./daily-checks.ts";
import { hourMs } from "../../shared/clock.ts";

let folder: string;
let database: string;
let backup: string;
let store: Store;
let nowMs: number;
let damages: unknown[];
let checks: number;
let damage: string | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rk-daily-"));
  database = join(folder, "rookery.db");
  backup = join(folder, "rookery.db.backup");
  nowMs = Date.now();
  damages = [];
  checks = 0;
  damage = undefined;
  store = openStore(
    database,
    () => nowMs,
    (error) => damages.push(error),
  );
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

function open(settings: Partial<DailyDeps> = {}): DailyChecks {
  return openDailyChecks({
    store,
    log: silentLog,
    clock: () => nowMs,
    database,
    backup,
    keepsBackup: true,
    wasUnclean: false,
    worker: {
      call: {
        async findDamage() {
          checks++;
          const reader = openDatabase(database, { readOnly: true });
          const found = findDamage(reader);
          reader.close();
          return damage ?? found;
        },
        backUp: async (target) => backUp(database, target),
      },
    },
    runAlone: (work) => work(),
    ...settings,
  });
}

test("the backup is complete and made once a day", async () => {
  const daily = open();
  store.meta.set("kept", "yes");
  await daily.run();
  const copy = openDatabase(backup, { readOnly: true });
  expect(copy.get("SELECT value FROM meta WHERE key = 'kept'")).toEqual({ value: "yes" });
  copy.close();
  expect(existsSync(`${backup}.next`)).toBe(false);

  const { ino } = statSync(backup);
  nowMs += 23 * hourMs;
  await daily.run();
  expect(statSync(backup).ino).toBe(ino);
  nowMs += 2 * hourMs;
  await daily.run();
  expect(statSync(backup).ino).not.toBe(ino);
  expect(checks).toBe(2);
});

test("a backup dated in the future is replaced", async () => {
  const daily = open();
  await daily.run();
  const { ino } = statSync(backup);
  utimesSync(backup, (nowMs + 48 * hourMs) / 1000, (nowMs + 48 * hourMs) / 1000);
  await daily.run();
  expect(statSync(backup).ino).not.toBe(ino);
});

test("after an unclean exit the database is checked again on the same day", async () => {
  await open().run();
  await open({ wasUnclean: true }).run();
  expect(checks).toBe(2);
  await open().run();
  expect(checks).toBe(2);
});

test("a damaged database is reported and does not replace the backup", async () => {
  await open().run();
  const { ino } = statSync(backup);
  nowMs += 25 * hourMs;
  damage = "row 1 missing from index x";
  await open().run();
  expect(damages).toHaveLength(1);
  expect(statSync(backup).ino).toBe(ino);
});

test("with backups turned off, none is made and the existing one is deleted", async () => {
  await open().run();
  await open({ keepsBackup: false }).run();
  expect(existsSync(backup)).toBe(false);
});

test.each([
  ["leaves the first seconds to the session that started the daemon", false, 14_000, 16_000],
  ["is soon if the previous daemon was killed", true, 1_000, 3_000],
])("the first check %s", async (_when, wasUnclean, before, after) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const daily = open({ wasUnclean });
  daily.start();
  await vi.advanceTimersByTimeAsync(before);
  expect(checks).toBe(0);
  await vi.advanceTimersByTimeAsync(after - before);
  await daily.stop();
  expect(checks).toBe(1);
  vi.useRealTimers();
});
