import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { filesHolding } from "../support/grep-home.ts";
import { someRows } from "../support/long.ts";
import { waitFor } from "../support/processes.ts";
import { openRookery, type Rookery, withoutRooms } from "../support/rookery.ts";
import {
  writeSession,
  type WrittenSession,
  type WrittenTurn,
  touchTranscript,
  waitUntilDistilled,
} from "../support/written-session.ts";

let rookery: Rookery;
let project: string;
beforeEach(async () => {
  rookery = openRookery(withoutRooms);
  project = join(rookery.env.HOME ?? "", "orders-api");
  mkdirSync(project, { recursive: true });
  execFileSync("git", ["-C", project, "init", "-q"], { env: rookery.env });
  await rookery.start();
});
afterEach(() => rookery.close());

/** Invented words that occur nowhere else; the stemmer keeps their beginning. */
const planted = "quillfeather";
const others = "marmalade";

function tell(id = "s-plant", turns = 3): WrittenSession {
  const told: WrittenTurn[] = [
    {
      prompt: `from now on the staging host is always called ${planted}`,
      tool: {
        name: "Edit",
        input: {
          file_path: join(project, "src/hosts.ts"),
          old_string: "x",
          new_string: `const host = "${planted}"`,
        },
        output: `1 + const host = "${planted}"`,
      },
      final: `Done: \`src/hosts.ts\` now says ${planted}, because the old host was switched off.`,
    },
    {
      prompt: `from now on never write ${others} into the changelog`,
      final: `Noted, ${others} stays out of it.`,
    },
    { prompt: `is ${planted} reachable?`, final: `Yes, ${planted} answers.` },
  ];
  return writeSession(rookery, id, project, told.slice(0, turns));
}

/** Moves the data from the write-ahead log into the database pages, where it is harder to erase. */
function settle(): void {
  const db = openDatabase(rookery.home.database);
  db.get("PRAGMA wal_checkpoint(PASSIVE)");
  db.close();
}
const holding = (word = planted): string[] => filesHolding(rookery.home.root, word);
const search = async (query: string) => (await rookery.call("GET", `/api/search?q=${query}`)).json.results;
async function forget(...args: string[]) {
  const ran = await rookery.cli("forget", "--json", ...args);
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  return JSON.parse(ran.stdout);
}

/** Everything that could restore it: the same hooks, a start, a new session, reading the transcript again. */
async function tryToBringBack(session: WrittenSession): Promise<void> {
  await session.hooks();
  await session.hook("SessionEnd", { reason: "other" });
  await rookery.kill9();
  await rookery.start();
  await rookery.hook("SessionStart", { session_id: "next", cwd: project, source: "startup" });
  touchTranscript(session.path);
  const ran = await rookery.cli("import", "transcripts", "--json");
  expect(JSON.parse(ran.stdout), ran.stdout).toMatchObject({ state: "done" });
  await waitUntilDistilled(rookery);
}

describe("forget by words", () => {
  it("removes them from every file of the home, and neither transcript nor import restores them", async () => {
    const session = tell();
    // The third turn is only in the transcript.
    await session.hooks(0, 2);
    await rookery.call("POST", "/api/deliveries", {
      to: "orders-api",
      body: `about ${planted}`,
      hostPid: process.pid,
    });
    writeFileSync(join(rookery.home.rejected, "Stop.1"), `{"broken": "${planted}`, { mode: 0o600 });
    await waitUntilDistilled(rookery);
    await rookery.hook("SessionStart", { session_id: "reader", cwd: project, source: "startup" });
    expect((await search(planted)).length).toBeGreaterThan(1);
    settle();
    expect(holding()).toContain("rookery.db");

    const plan = await forget("--query", planted.toUpperCase(), "--dry-run");
    expect(plan.removed.notes).toBeGreaterThan(0);
    expect(plan.titles.join()).toContain(planted);
    expect((await search(planted)).length).toBeGreaterThan(1);

    const report = await forget("--query", planted, "--yes");
    expect(report.removed).toMatchObject({ ...plan.removed });
    expect(report).toMatchObject({ remaining: [], files: ["rejected/Stop.1"] });
    expect(holding()).toEqual([]);
    expect(await search(planted)).toEqual([]);
    expect((await search(others)).length).toBeGreaterThan(0);

    await tryToBringBack(session);
    expect(holding()).toEqual([]);
    expect((await search(others)).length).toBeGreaterThan(0);
  });

  it("asks for confirmation, and warns that there is no undo", async () => {
    await tell().hooks();
    await waitUntilDistilled(rookery);
    const ran = await rookery.cli("forget", "--query", planted);
    expect(ran.code).toBe(5);
    expect(ran.stdout).toContain("Would forget");
    expect(ran.stderr).toContain("--yes");
    expect(ran.stderr).toContain("cannot be undone");
    expect(holding()).not.toEqual([]);
    expect((await rookery.cli("forget", "--query", "nothing has this", "--yes")).stdout).toContain("nothing");
  });

  it("rejects them permanently when the session repeats them", async () => {
    const session = tell();
    await session.hooks(0, 1);
    await waitUntilDistilled(rookery);
    const prompt_id = "s-plant-p1";
    await session.hook("UserPromptSubmit", { prompt_id, prompt: "forget what I said about the host" });
    await forget("--query", planted, "--yes");
    const command = `rookery forget --query ${planted} --yes`;
    const use = { prompt_id, tool_name: "Bash", tool_use_id: "toolu_f", tool_input: { command } };
    await session.hook("PostToolUse", { ...use, tool_response: `Forgotten: ${planted}` });
    await session.hook("Stop", { prompt_id, last_assistant_message: `I forgot ${planted}.` });
    await waitUntilDistilled(rookery);
    expect(rookery.query("SELECT payload FROM events WHERE tool_use_id = 'toolu_f'")).toEqual([
      { payload: "{}" },
    ]);
    expect(holding().filter((file) => file !== "rookery.db-wal")).toEqual([]);
    await tryToBringBack(session);
    expect(holding()).toEqual([]);
  });
});

describe("forget by", () => {
  it.each<[string, () => Promise<string[]>]>(
    someRows(
      [
        [
          "id",
          async () => {
            const notes = (await search(`${planted}&kind=note`)) as { id: string }[];
            return notes.map(({ id }) => id.slice(-12));
          },
        ],
        ["file", async () => ["--file", "src/hosts.ts", "--project", project, "--yes"]],
        ["project", async () => ["--project", "orders-api", "--yes"]],
        ["time", async () => ["--since", "2020-01-01", "--until", "2099-01-01", "--yes"]],
      ],
      2,
    ),
  )("%s: nothing of its turns is left, and nothing is restored", async (_by, makeArgs) => {
    const session = tell("s-one", 1);
    await session.hooks();
    await session.hook("SessionEnd", { reason: "other" });
    await waitUntilDistilled(rookery);
    settle();
    expect(holding()).toContain("rookery.db");
    await forget(...(await makeArgs()));
    expect(holding()).toEqual([]);
    expect(await search(planted)).toEqual([]);
    await session.hooks();
    await session.hook("SessionEnd", { reason: "other" });
    await rookery.kill9();
    await rookery.start();
    touchTranscript(session.path);
    await rookery.cli("import", "transcripts", "--json");
    await rookery.hook("SessionStart", { session_id: "next", cwd: project, source: "startup" });
    expect(await search("staging+host")).toEqual([]);
    expect(rookery.query("SELECT text FROM prompts WHERE text LIKE ?", `%host is always%`)).toEqual([]);
  });

  it("id keeps the text of other turns, and unrelated notes of the same turn", async () => {
    await tell().hooks();
    await rookery.hook("SessionEnd", { session_id: "s-plant", cwd: project, reason: "other" });
    await waitUntilDistilled(rookery);
    const [note] = await search(`${others}&kind=note`);
    const { removed } = await forget(note.id);
    expect(removed).toMatchObject({ notes: 1, prompts: 1 });
    expect(holding(others)).toEqual([]);
    expect((await search(planted)).length).toBeGreaterThan(1);
    expect((await rookery.cli("forget", note.id)).code).toBe(4);
  });

  it("project leaves other projects alone, and its name in no file", async () => {
    const elsewhere = join(rookery.env.HOME ?? "", "zebrafinch-site");
    mkdirSync(elsewhere);
    await tell().hooks(0, 1);
    const other = writeSession(rookery, "s-other", elsewhere, [
      { prompt: "from now on always deploy on Tuesdays", final: "Noted." },
    ]);
    await other.hooks();
    await other.hook("SessionEnd", { reason: "other" });
    await waitUntilDistilled(rookery);
    await waitFor(async () => (await search("deploy")).length > 0);
    await forget("--project", elsewhere, "--yes");
    expect(holding("zebrafinch")).toEqual([]);
    expect((await search(planted)).length).toBeGreaterThan(0);
    touchTranscript(other.path);
    await rookery.cli("import", "transcripts", "--json");
    expect(holding("zebrafinch")).toEqual([]);
  });
});

it("a tombstone contains no words or names: only keyed hashes", async () => {
  await tell().hooks(0, 1);
  await waitUntilDistilled(rookery);
  await forget("--query", planted, "--yes");
  const rows = rookery.query<{ hash: string }>("SELECT hash FROM tombstones");
  expect(rows.length).toBeGreaterThan(3);
  for (const { hash } of rows) expect(hash).toMatch(/^[0-9a-f]{32}$/);
});
