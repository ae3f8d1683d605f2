import { mkdirSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRookery, type Rookery, withoutRooms } from "../support/rookery.ts";
import { placeTranscript } from "../support/transcripts.ts";

let rookery: Rookery;
let path: string;
beforeEach(async () => {
  rookery = openRookery(withoutRooms);
  path = join(rookery.env.HOME ?? "", ".claude-mem", "claude-mem.db");
  mkdirSync(dirname(path), { recursive: true });
  await rookery.start();
});
afterEach(() => rookery.close());

const at = Date.parse("2026-09-01T10:00:00Z");
const key = ["AKIA", "Z3MK7QX5WJ2PLT4V"].join("");

/** The memory tables of version 13. */
function makeCurrent(): void {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT UNIQUE NOT NULL,
      memory_session_id TEXT UNIQUE, project TEXT NOT NULL, platform_source TEXT NOT NULL DEFAULT 'claude', user_prompt TEXT,
      started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL, status TEXT NOT NULL DEFAULT 'active');
    CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL,
      text TEXT, type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT,
      files_modified TEXT, prompt_number INTEGER, discovery_tokens INTEGER DEFAULT 0, content_hash TEXT,
      merged_into_project TEXT, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
    CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL,
      request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT,
      notes TEXT, prompt_number INTEGER, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
    CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL,
      prompt_number INTEGER NOT NULL, prompt_text TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
    INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, started_at, started_at_epoch)
      VALUES ('host-1', 'mem-1', 'orders-api', 'x', ${at});`);
  const observation = db.prepare(
    `INSERT INTO observations (memory_session_id, project, type, title, subtitle, narrative, facts, concepts, files_read,
      files_modified, prompt_number, created_at, created_at_epoch) VALUES ('mem-1', 'orders-api', ?, ?, ?, ?, ?, ?, ?, ?, 1, 'x', ?)`,
  );
  observation.run(
    ...["bugfix", "Pool was exhausted", "One client per request", `Shared one client; the key was ${key}.`],
    ...['["max 20 connections"]', '["problem-solution"]', '["src/a.ts"]', '["src/pool.ts"]', at],
  );
  observation.run(
    "security_alert",
    "Token in a log",
    null,
    "A token was logged.",
    null,
    "odd [",
    null,
    null,
    at + 1,
  );
  observation.run("discovery", null, null, null, null, null, null, null, at + 2);
  db.exec(`INSERT INTO session_summaries (memory_session_id, project, request, learned, completed, next_steps, files_edited, created_at,
      created_at_epoch) VALUES ('mem-1', 'orders-api', 'Fix the timeouts', 'Pools', 'Shared a client', 'Load test', '["src/pool.ts"]', 'x', ${at});
    INSERT INTO user_prompts (content_session_id, prompt_number, prompt_text, created_at, created_at_epoch)
      VALUES ('host-1', 1, 'requests time out <private>PLANTED</private>', 'x', ${at});`);
  db.close();
}

async function importClaudeMem(...more: string[]) {
  const ran = await rookery.cli("import", "claude-mem", "--json", ...more);
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  return JSON.parse(ran.stdout);
}

describe("importing a claude-mem database", () => {
  it("imports observations, summaries and prompts with their times, redacted, once", async () => {
    makeCurrent();
    const counts = { notes: 2, summaries: 1, prompts: 1 };
    expect(await importClaudeMem()).toMatchObject({ state: "done", ...counts, damaged: 1 });
    const again = await importClaudeMem();
    expect(again).toMatchObject({ notes: 0, summaries: 0, prompts: 0, turnsKnown: 4 });
    const { results } = (await rookery.call("GET", "/api/search?q=pool+exhausted&kind=note")).json;
    expect(results[0]).toMatchObject({
      type: "bugfix",
      project: "orders-api",
      session: "host-1",
      createdAt: at,
    });
    const { json } = await rookery.call("GET", `/api/notes/${results[0].id}`);
    expect(json).toMatchObject({
      facts: ["max 20 connections"],
      filesModified: ["src/pool.ts"],
      provenance: "import:claude-mem",
    });
    const everything = JSON.stringify(
      ["observations", "summaries", "prompts"].map((table) => rookery.query(`SELECT * FROM ${table}`)),
    );
    expect(everything).toContain("[secret:");
    expect(everything).not.toContain(key);
    expect(everything).not.toContain("PLANTED");
    expect(rookery.query("SELECT type FROM observations WHERE title = 'Token in a log'")).toEqual([
      { type: "discovery" },
    ]);
  });

  it("is replaced by the transcript of the same session", async () => {
    makeCurrent();
    await importClaudeMem();
    const folder = join(rookery.env.HOME ?? "", "orders-api");
    mkdirSync(folder);
    const facts = {
      sessionId: "host-1",
      cwd: folder,
      timestamp: new Date(at).toISOString(),
      promptId: "p-1",
    };
    const prompt = { role: "user", content: "requests time out <private>PLANTED</private>" };
    const lines = [
      { ...facts, type: "user", uuid: "u-1", message: prompt },
      { ...facts, type: "assistant", uuid: "a-1", message: { content: [{ type: "text", text: "Done." }] } },
    ];
    const claude = join(rookery.env.HOME ?? "", ".claude");
    const path = placeTranscript(claude, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), "host-1");
    utimesSync(path, at / 1000, at / 1000);
    const ran = await rookery.cli("import", "transcripts", "--json");
    expect(JSON.parse(ran.stdout)).toMatchObject({ state: "done", turns: 1, prompts: 1 });
    expect(rookery.query("SELECT text FROM prompts")).toEqual([{ text: "requests time out [private]" }]);
    expect(rookery.query("SELECT count(*) AS n FROM memory_rows WHERE kind = 'prompt'")).toEqual([{ n: 1 }]);
    expect(await importClaudeMem()).toMatchObject({ prompts: 0 });
  });

  it("assigns imported rows to the folder of that name when a session first works there", async () => {
    makeCurrent();
    await importClaudeMem();
    const folder = join(rookery.env.HOME ?? "", "orders-api");
    mkdirSync(folder);
    const { stdout } = await rookery.hook("SessionStart", {
      session_id: "s-1",
      cwd: folder,
      source: "startup",
    });
    expect(stdout).toContain("Pool was exhausted");
    expect(rookery.query("SELECT path FROM projects")).toEqual([{ path: folder }]);
  });

  it("reads the first version's tables, which had other names and only a text", async () => {
    const db = new DatabaseSync(path);
    db.exec(`CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, claude_session_id TEXT, sdk_session_id TEXT, project TEXT);
      CREATE TABLE observations (id INTEGER PRIMARY KEY, sdk_session_id TEXT, project TEXT, text TEXT, type TEXT, created_at TEXT,
        created_at_epoch INTEGER);
      INSERT INTO sdk_sessions VALUES (1, 'host-1', 'sdk-1', 'old');
      INSERT INTO observations VALUES (1, 'sdk-1', 'old', 'Migrations run twice. Guard them.', 'decision', 'x', ${at / 1000});`);
    db.close();
    expect(await importClaudeMem(path)).toMatchObject({ notes: 1, summaries: 0, prompts: 0 });
    expect(rookery.query("SELECT title, session_id AS session, created_at AS at FROM observations")).toEqual([
      { title: "Migrations run twice.", session: "host-1", at },
    ]);
  });

  it("names the searched path if there is no database", async () => {
    const { code, stderr } = await rookery.cli("import", "claude-mem");
    expect(code).toBe(4);
    expect(stderr).toContain(`there is no ${path}`);
  });
});
