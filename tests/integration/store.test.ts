import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { truncateSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { migrate } from "../../src/sqlite/migrate.ts";
import { loadStoreMigrations } from "../../src/store/store-migrations.ts";
import { type Database, openDatabase } from "../../src/sqlite/sqlite.ts";
import { waitFor, waitUntilGone } from "../support/processes.ts";
import { makePayload, type Rookery } from "../support/rookery.ts";
import { idOf, ringBell, spoolEvent } from "../support/spool-writer.ts";
import { useRookeries } from "../support/use-rookery.ts";

const rookeries = useRookeries();
const folder = mkdtempSync(join(tmpdir(), "rk-store-"));
afterAll(() => rmSync(folder, { recursive: true }));

const hashOf = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

/** Schema, version and every row of every table. */
function contentOf(db: Database): unknown {
  const tables = db.all<{ name: string; sql: string }>("SELECT name, sql FROM sqlite_schema ORDER BY name");
  const rows = tables
    .filter(({ sql }) => sql?.startsWith("CREATE TABLE"))
    .map(({ name }) => [name, db.all(`SELECT * FROM ${name}`)]);
  return { version: db.get("PRAGMA user_version"), tables, rows };
}

describe("migrations", () => {
  const shipped = loadStoreMigrations();
  const extra = {
    version: 9_001,
    name: "extra",
    sql: "CREATE TABLE extra (x); INSERT INTO extra VALUES (1);",
  };

  test("apply in order from an empty file, and once", () => {
    const db = openDatabase(join(folder, "empty.db"));
    expect(shipped.map(({ version }) => version)).toEqual(shipped.map((_, i) => i + 1));
    expect(migrate(db, [...shipped, extra])).toEqual([...shipped.map(({ name }) => name), "extra"]);
    expect(db.get("PRAGMA user_version")).toEqual({ user_version: 9_001 });
    expect(migrate(db, [...shipped, extra])).toEqual([]);
    expect(db.all("SELECT x FROM extra")).toEqual([{ x: 1 }]);
    db.close();
  });

  test("a failing one leaves the database unchanged, to the byte, including earlier ones of the same start", () => {
    const path = join(folder, "failing.db");
    const db = openDatabase(path);
    migrate(db, shipped);
    db.run("INSERT INTO meta VALUES ('kept', 'yes')");
    db.get("PRAGMA wal_checkpoint(TRUNCATE)");
    const before = { content: contentOf(db), hash: hashOf(path) };
    const broken = { version: 9_002, name: "broken", sql: "UPDATE meta SET value = 'no'; CREATE TABLE;" };
    expect(() => migrate(db, [...shipped, extra, broken])).toThrow(
      expect.objectContaining({ code: "migration_failed", message: expect.stringContaining('"broken"') }),
    );
    db.get("PRAGMA wal_checkpoint(TRUNCATE)");
    expect({ content: contentOf(db), hash: hashOf(path) }).toEqual(before);
    db.close();
  });
});

describe("a database of a newer Rookery", () => {
  test("is refused with a clear message and not touched", async () => {
    const rookery = await rookeries.started();
    await rookery.stop();
    const db = openDatabase(rookery.home.database);
    db.script("PRAGMA user_version = 9999; PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
    const before = hashOf(rookery.home.database);
    const { code, stderr } = await rookery.cli("start");
    expect(stderr).toContain("The database has schema 9999, this Rookery knows up to");
    expect(stderr).toContain("update");
    expect(stderr).not.toContain("    at ");
    expect(code).toBe(5);
    expect(hashOf(rookery.home.database)).toBe(before);
  });
});

const eventIds = (rookery: Rookery): string[] => {
  const db = openDatabase(rookery.home.database, { readOnly: true });
  const ids = db.all<{ id: string }>("SELECT id FROM events ORDER BY id").map(({ id }) => id);
  db.close();
  return ids;
};

/** A home that has run, with something in its database and its daemon gone. */
async function usedHome(events = 3): Promise<Rookery> {
  const rookery = await rookeries.started();
  for (let n = 0; n < events; n++)
    await rookery.call(
      "POST",
      "/api/hooks/Notification",
      makePayload("Notification", { filler: "x".repeat(900) }),
    );
  const pid = rookery.pid();
  await rookery.stop();
  // The database is closed last, and its last checkpoint would repair the damage.
  await waitUntilGone([pid]);
  return rookery;
}

describe("a damaged database", () => {
  test.each([
    ["garbage", (path: string) => writeFileSync(path, "this is not a database ".repeat(1_000))],
    ["a truncated file", (path: string) => truncateSync(path, 5_000)],
  ])("that is %s is set aside and reported, and nothing spooled is lost", async (_name, damage) => {
    const rookery = await usedHome();
    damage(rookery.home.database);
    const damaged = readFileSync(rookery.home.database);
    const name = spoolEvent(rookery.home, "Stop", makePayload("Stop"));
    await rookery.start();

    const { database } = (await rookery.call("GET", "/api/status")).json;
    expect(database.setAside).toMatch(/rookery\.db\.damaged-/);
    expect(readFileSync(database.setAside)).toEqual(damaged);
    await waitFor(() => readdirSync(rookery.home.spool).length === 0);
    expect(eventIds(rookery)).toContain(idOf(name));
    expect((await rookery.cli("status")).stdout).toContain(database.setAside);
    const { stdout } = await rookery.hook("SessionStart", makePayload("SessionStart", { session_id: "s-2" }));
    expect(JSON.parse(stdout).systemMessage).toContain(database.setAside);
  });

  test.each([
    ["as an event comes in", false],
    ["as the spool is swept at start", true],
  ])("detected %s: that daemon stops, the next one sets it aside", async (_name, isEarly) => {
    const rookery = await usedHome();
    overwriteIndex(rookery.home.database);
    if (!isEarly) await rookery.start();
    const names = Array.from({ length: 20 }, (_, n) =>
      spoolEvent(rookery.home, "Notification", makePayload("Notification", { session_id: `s-${n}` })),
    );
    if (isEarly) expect((await rookery.cli("start")).stderr).not.toContain("    at ");
    else expect(await ringBell(rookery.home, names[0] ?? "")).toBe("answered");
    await waitFor(() => !existsSync(rookery.home.daemonFile), { describe: "the first daemon to end" });

    await rookery.start();
    const { database } = (await rookery.call("GET", "/api/status")).json;
    expect(database.setAside).toMatch(/damaged-/);
    await waitFor(() => readdirSync(rookery.home.spool).length === 0);
    expect(eventIds(rookery)).toEqual(names.map(idOf).toSorted());
  });
});

/** The root of one index: the file opens and migrates, and breaks when the next event comes. */
function overwriteIndex(path: string): void {
  const db = openDatabase(path, { readOnly: true });
  const root = db.get<{ page: number }>(
    "SELECT rootpage AS page FROM sqlite_schema WHERE name = 'events_by_session'",
  );
  db.close();
  const fd = openSync(path, "r+");
  writeSync(fd, Buffer.alloc(4_096, "junk"), 0, 4_096, ((root?.page ?? 0) - 1) * 4_096);
  closeSync(fd);
}

describe("strings of every kind", () => {
  test.each([
    ["NUL", "a\u0000b"],
    ["emoji", "🐦👩‍👩‍👧‍👦 é 漢字"],
    ["quotes and newlines", `'"\`\\ \n\r\t \u2028 $(id) ; DROP TABLE events; --`],
    ["half a surrogate pair", "x\ud800y"],
    ["1 MB", "0123456789abcdef".repeat(65_536)],
  ])("%s survive the round trip", async (name, text) => {
    const rookery = await shared();
    const payload = makePayload("UserPromptSubmit", {
      session_id: `s-${name}`,
      prompt: text,
      prompt_id: name,
    });
    expect((await rookery.hook("UserPromptSubmit", payload)).code).toBe(0);
    const [row] = rookery.query("SELECT payload FROM events WHERE session_id = ?", `s-${name}`);
    expect(JSON.parse(row.payload)).toEqual(payload);
    const [prompt] = rookery.query("SELECT text FROM prompts WHERE session_id = ?", `s-${name}`);
    expect(prompt.text).toBe(text.toWellFormed());
  });

  test("a field above the limit keeps head and tail and the length of the cut", async () => {
    const rookery = await rookeries.started();
    const text = `HEAD${"x".repeat(1_000_000)}TAIL`;
    await rookery.hook("PostToolUse", makePayload("PostToolUse", { tool_response: text, tool_use_id: "t" }));
    // A payload of this size is prepared in a worker; the hook may not wait that long.
    await waitFor(() => rookery.query("SELECT 1 FROM events").length === 1);
    const [row] = rookery.query("SELECT payload, bytes FROM events");
    const kept: string = JSON.parse(row.payload).tool_response;
    expect(kept.length).toBeLessThan(65_000);
    expect(kept).toMatch(/^HEAD[^]*\[… 936008 characters left out …\][^]*TAIL$/);
    expect(row.bytes).toBeGreaterThan(1_000_000);
  });

  const sharedRookeries = useRookeries(afterAll);
  let opened: Promise<Rookery> | undefined;
  const shared = (): Promise<Rookery> =>
    (opened ??= sharedRookeries.started({ ROOKERY_CAPTURE_FIELD_BYTES: "4000000" }));
});
