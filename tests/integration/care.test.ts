import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { isLong } from "../support/long.ts";
import type { Rookery } from "../support/rookery.ts";
import { writeSession, waitUntilDistilled } from "../support/written-session.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const rookeries = useRookeriesWithoutRooms();

async function fill(rookery: Rookery, name = "orders-api"): Promise<void> {
  const project = join(rookery.env.HOME ?? "", name);
  mkdirSync(project, { recursive: true });
  const session = writeSession(rookery, `s-${name}`, project, [
    { prompt: `from now on never log request bodies in ${name}`, final: "Noted." },
    {
      prompt: "why does the import stop?",
      tool: {
        name: "Read",
        input: { file_path: join(project, "src/import.ts") },
        output: "z".repeat(40_000),
      },
      final: "The import stops because the cursor is never advanced past a damaged line; that is the cause.",
    },
  ]);
  await session.hooks();
  await session.hook("SessionEnd", { reason: "other" });
  await waitUntilDistilled(rookery);
}
const count = (rookery: Rookery, table: string): number =>
  rookery.query(`SELECT count(*) AS n FROM ${table}`)[0].n;
const tables = ["projects", "sessions", "turns", "prompts", "summaries", "observations", "memory_rows"];
const search = async (rookery: Rookery, q: string) =>
  (await rookery.call("GET", `/api/search?q=${q}`)).json.results;

/** Only the rows: the header contains the store's id and the time. */
function readRows(file: string): string[] {
  return readFileSync(file, "utf8").trimEnd().split("\n").slice(1).toSorted();
}

describe("export and import", () => {
  it("are lossless in both directions, and importing twice changes nothing", async () => {
    const [from, to] = [await rookeries.started(), await rookeries.started()];
    await fill(from);
    await fill(from, "web");
    const [first, second] = ["a.jsonl", "b.jsonl"].map((name) => join(from.env.HOME ?? "", name)) as [
      string,
      string,
    ];
    expect((await from.cli("export", first)).stdout).toContain("Exported");
    expect(statSync(first).mode & 0o777).toBe(0o600);
    const result = JSON.parse((await to.cli("import", "jsonl", first, "--json")).stdout);
    expect(result).toMatchObject({ state: "done", damaged: 0, sessions: 2, turns: 4 });
    expect(tables.map((table) => count(to, table))).toEqual(tables.map((table) => count(from, table)));
    await to.cli("export", second);
    expect(readRows(second)).toEqual(readRows(first));
    const [found] = await search(to, "log+request+bodies&kind=note");
    expect(found.title).toContain("never log request bodies");

    const again = JSON.parse((await to.cli("import", "jsonl", first, "--json")).stdout);
    expect(again).toMatchObject({ notes: 0, summaries: 0, prompts: 0, sessions: 0, turns: 0 });
    const back = JSON.parse((await from.cli("import", "jsonl", second, "--json")).stdout);
    expect(back).toMatchObject({ notes: 0, summaries: 0, prompts: 0, damaged: 0 });
  });

  it("skips a note of 120 MB, says so, and needs little memory for it", async () => {
    const [from, to] = [await rookeries.started(), await rookeries.started()];
    await fill(from);
    const file = join(from.env.HOME ?? "", "huge.jsonl");
    await from.cli("export", file);
    const notes = readFileSync(file, "utf8").split("\n");
    const huge = notes
      .find((line) => line.includes('"observation"'))
      ?.replace("request bodies", "word ".repeat(24_000_000));
    writeFileSync(file, [huge, ...notes].join("\n"));
    const peakMb = (): number =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${to.pid()}/status`, "utf8"))?.[1]) / 1024;
    const before = peakMb();
    const ran = await to.cli("import", "jsonl", file);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toContain("1 line skipped: damaged, or a note longer than 1,000,000 characters.");
    expect(peakMb() - before).toBeLessThan(250);
    expect(count(to, "observations")).toBe(count(from, "observations"));
  });

  it("select one project, omit forgotten rows, count invalid lines, and redact", async () => {
    const rookery = await rookeries.started();
    await fill(rookery);
    await fill(rookery, "web");
    const file = join(rookery.env.HOME ?? "", "web.jsonl");
    await rookery.cli("export", file, "--project", "web");
    expect(readFileSync(file, "utf8")).not.toContain("orders-api");
    const [note] = await search(rookery, "log+request+bodies&project=web&kind=note");
    await rookery.cli("forget", note.id);
    const key = ["AKIA", "Z3MK7QX5WJ2PLT4V"].join("");
    const text = readFileSync(file, "utf8").replaceAll("request bodies", `request bodies ${key}`);
    writeFileSync(file, `${text}not json\n{"kind":"observation"}\n`);
    const other = await rookeries.started();
    const brought = JSON.parse((await other.cli("import", "jsonl", file, "--json")).stdout);
    expect(brought).toMatchObject({ state: "done", damaged: 2 });
    const [redacted] = await search(other, "bodies&kind=note");
    const whole = (await other.call("GET", `/api/notes/${redacted.id}`)).text;
    expect(whole).toContain("[secret:");
    expect(whole).not.toContain(key);
    await rookery.cli("import", "jsonl", file);
    expect(await search(rookery, "bodies&project=web")).toEqual([]);
    expect((await rookery.cli("import", "jsonl", "/nowhere.jsonl")).code).toBe(4);
    expect((await rookery.cli("export", "--project", "nobody")).code).toBe(4);
  });
});

describe("compact", () => {
  it("removes expired raw events, keeps notes, returns disk space and reports it", async () => {
    const rookery = await rookeries.started({ ROOKERY_RETENTION_EVENT_MEGABYTES: "1" });
    const project = join(rookery.env.HOME ?? "", "orders-api");
    await fill(rookery);
    for (let n = 0; n < 60; n++)
      await rookery.call("POST", "/api/hooks/PostToolUse", {
        session_id: "bulk",
        cwd: project,
        prompt_id: "p",
        hook_event_name: "PostToolUse",
        tool_name: "Read",
        tool_use_id: `b${n}`,
        tool_input: {},
        tool_response: `${n} `.repeat(20_000),
      });
    await rookery.call("POST", "/api/hooks/SessionEnd", {
      session_id: "bulk",
      cwd: project,
      hook_event_name: "SessionEnd",
      reason: "other",
    });
    await waitUntilDistilled(rookery);
    const notes = count(rookery, "observations");
    const state = JSON.parse((await rookery.cli("compact", "--json")).stdout);
    expect(state).toMatchObject({ state: "done", error: null });
    expect(state.eventsRemoved).toBeGreaterThan(20);
    expect(state.bytesAfter).toBeLessThan(state.bytesBefore / 2);
    expect(count(rookery, "observations")).toBe(notes);
    expect((await search(rookery, "log+request+bodies")).length).toBeGreaterThan(0);
    const { retention } = (await rookery.call("GET", "/api/status")).json;
    expect(retention).toMatchObject({ eventDays: 90, eventMegabytes: 1, removed: state.eventsRemoved });
    expect(retention.eventBytes).toBeLessThanOrEqual(1_000_000);
    expect((await rookery.cli("status")).stdout).toContain("raw events: 90 days or 1.0 MB");
    expect(rookery.query("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  });
});

describe.runIf(isLong)("on a database of 100 MB, hooks are answered and stored", () => {
  /** Expired raw events. */
  async function seed(rookery: Rookery): Promise<void> {
    await fill(rookery);
    await rookery.stop();
    const db = openDatabase(rookery.home.database);
    db.run(
      `INSERT INTO events (id, event, session_id, tool_name, tool_use_id, payload, bytes, via, occurred_at, stored_at, origin)
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 25000)
       SELECT 'old-' || n, 'tool.after', 's-orders-api', 'Read', 'old-' || n, json_object('x', hex(randomblob(2000))), 4000,
         'hook', 1, 1, 'seed' FROM numbers`,
    );
    db.close();
    expect(statSync(rookery.home.database).size).toBeGreaterThan(100_000_000);
    await rookery.start();
  }

  it.each<[string, (rookery: Rookery) => Promise<unknown>, (rookery: Rookery) => Promise<boolean>]>([
    [
      "while it is compacted",
      (rookery) => rookery.call("POST", "/api/compact"),
      async (rookery) => (await rookery.call("GET", "/api/compact")).json.state === "running",
    ],
    [
      "while something is forgotten",
      (rookery) => rookery.call("POST", "/api/forget", { query: "cursor is never advanced" }),
      async (rookery) => rookery.query("SELECT 1 FROM forgettings").length > 0,
    ],
  ])("%s", async (_when, begin, isRunning) => {
    const rookery = await rookeries.started();
    await seed(rookery);
    const project = join(rookery.env.HOME ?? "", "orders-api");
    const begun = begin(rookery);
    let meanwhile = 0;
    for (let n = 0; meanwhile < 3; n++) {
      const use = { tool_name: "Read", tool_use_id: `now-${n}`, tool_input: {}, tool_response: "x" };
      const ran = await rookery.hook("PostToolUse", { session_id: "s-orders-api", cwd: project, ...use });
      expect(ran).toMatchObject({ code: 0, stderr: "" });
      const [stored] = rookery.query("SELECT 1 AS yes FROM events WHERE tool_use_id = ?", `now-${n}`);
      if (!(await isRunning(rookery))) break;
      expect(stored).toEqual({ yes: 1 });
      meanwhile++;
    }
    expect(meanwhile).toBe(3);
    expect(await begun).toMatchObject({ status: expect.toSatisfy((status) => status < 300) });
  });
});
