import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useFakeClaudes } from "../support/fake-claude.ts";
import { startBash } from "../support/host-world.ts";
import { listQuestions, openQuestion, postAnswer } from "../support/person-elsewhere.ts";
import { processesMentioning, waitFor, waitUntilGone } from "../support/processes.ts";
import { makePayload, type Rookery, runProcess } from "../support/rookery.ts";
import { startWriting } from "../support/spool-writer.ts";
import { installTarball, packTarballs, type Tarball } from "../support/tarball.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";
import { startPermissionHook } from "../support/waiting-hook.ts";

const rookeries = useRookeries();
const claudes = useFakeClaudes();
const person = useOutside();
const folder = mkdtempSync(join(tmpdir(), "rk-up-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const prefix = join(folder, "prefix");
const writers = 6;
const hookLanes = 2;

let older: Tarball;
let newer: Tarball;
beforeAll(async () => {
  ({ older, newer } = await packTarballs());
});

/** Runs hooks in sequence as a session does, through its registered script. */
function fireHooks(rookery: Rookery, lane: number): { stop(): Promise<number> } {
  const hostPid = claudes.open().pid;
  let isOver = false;
  const done = (async () => {
    let count = 0;
    while (!isOver) {
      const fields = {
        session_id: `hooks-${lane}`,
        tool_use_id: `tool-${lane}-${count++}`,
        tool_name: "Bash",
      };
      const ran = await rookery.hook("PostToolUse", makePayload("PostToolUse", fields), { hostPid });
      expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
    }
    return count;
  })();
  return {
    stop() {
      isOver = true;
      return done;
    },
  };
}

async function connect(rookery: Rookery): Promise<{ client: Client; status(): Promise<string> }> {
  const client = new Client({ name: "test", version: "1" });
  const args = [join(rookery.plugin, "bin", "rookery"), "mcp"];
  await client.connect(new StdioClientTransport({ command: "sh", args, env: rookery.env, stderr: "pipe" }));
  const status = async (): Promise<string> => {
    const result: any = await client.callTool({ name: "rookery_status", arguments: {} });
    return result.content[0].text;
  };
  return { client, status };
}

/** A separate home, and the installed command. No claude is on its PATH: tests/e2e/install.test.ts covers it. */
function openHome(
  name: string,
  { isAutomatic }: { isAutomatic: boolean },
): {
  rookery: Rookery;
  npmEnv: Record<string, string>;
  run: (...args: string[]) => Promise<any>;
} {
  const root = join(folder, name);
  const ROOKERY_UPGRADE_AUTOMATIC = String(isAutomatic);
  const env = {
    ROOKERY_HOME: root,
    ROOKERY_ASK_ALWAYS: "true",
    ROOKERY_UPGRADE_AUTOMATIC,
    PATH: "/usr/bin:/bin",
  };
  const rookery = rookeries.open(env, join(root, "app", "current", "plugin"));
  const run = async (...args: string[]): Promise<any> => {
    const ran = await runProcess(join(prefix, "bin", "rookery"), [...args, "--json"], "", rookery.env);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    return JSON.parse(ran.stdout);
  };
  return { rookery, npmEnv: { ...rookery.env, PATH: process.env.PATH ?? "" }, run };
}

test("an upgrade while sessions run: every event once, questions stay open, MCP processes continue, no process is left", async () => {
  const { rookery, npmEnv, run } = openHome("home", { isAutomatic: false });
  const { home } = rookery;
  await installTarball(older, prefix, npmEnv);
  expect(await run("up")).toMatchObject({ plugin: "no-claude", daemon: "started" });
  const first = rookery.pid();

  const clients = await Promise.all([connect(rookery), connect(rookery)]);
  for (const { status } of clients) expect(await status()).toContain(`Rookery ${older.version} is ok`);
  const mkdir = { session_id: "asks", tool_name: "Bash", tool_input: { command: "mkdir x" } };
  await rookery.hook("PreToolUse", makePayload("PreToolUse", { ...mkdir, tool_use_id: "tu-1" }));
  const hook = startPermissionHook(rookery, mkdir);
  const question = await openQuestion(rookery);
  const lanes = Array.from({ length: writers }, (_, n) => startWriting(home, `s-${n}`));
  const hooks = Array.from({ length: hookLanes }, (_, n) => fireHooks(rookery, n));
  const count = (): number => rookery.query("SELECT count(*) AS n FROM events")[0].n;
  await waitFor(() => count() > 50);

  await installTarball(newer, prefix, npmEnv);
  const between = count();
  expect(await run("up")).toMatchObject({ daemon: "replaced" });
  await waitUntilGone([first]);
  expect(JSON.parse(readFileSync(home.daemonFile, "utf8"))).toMatchObject({ version: newer.version });
  await waitFor(() => count() > between + 50, { describe: "events in the new daemon" });
  for (const { status } of clients)
    await waitFor(async () => (await status()).includes(`Rookery ${newer.version} is ok`));

  expect(await listQuestions(rookery)).toEqual([expect.objectContaining({ id: question.id, state: "open" })]);
  await waitFor(async () => (await rookery.call("GET", "/api/status")).json.waiting === 1, {
    describe: "the waiting hook to be back",
  });
  await postAnswer(person, rookery, question.id, { allow: "once" });
  expect(JSON.parse((await hook.done).stdout)).toMatchObject({
    hookSpecificOutput: { decision: { behavior: "allow" } },
  });

  const written = (await Promise.all(lanes.map((lane) => lane.stop()))).flat();
  const fired = (await Promise.all(hooks.map((lane) => lane.stop()))).reduce((sum, n) => sum + n, 0);
  await waitFor(() => readdirSync(home.spool).length === 0, { describe: "an empty spool" });
  const stored = rookery.query<{ id: string }>("SELECT id FROM events WHERE session_id LIKE 's-_'");
  expect(stored.map(({ id }) => id).toSorted()).toEqual(written.toSorted());
  const uses = rookery.query(
    "SELECT count(*) AS n, count(DISTINCT tool_use_id) AS distinctly FROM events WHERE session_id LIKE 'hooks-_'",
  );
  expect(uses).toEqual([{ n: fired, distinctly: fired }]);
  console.log(`${written.length} events by ${writers} writers, ${fired} hooks, all stored once`);

  expect(basename(readlinkSync(join(home.app, "current")))).toMatch(new RegExp(`^${newer.version}-`));
  expect(readdirSync(home.app)).toHaveLength(3); // this build, the one before, and the link
  for (const { client } of clients) await client.close();
  const daemons = (await processesMentioning(home.root)).filter(({ command }) =>
    command.includes("daemon.js"),
  );
  expect(daemons.map(({ pid }) => pid)).toEqual([rookery.pid()]);
});

test("commands that read leave the installation alone, `start` upgrades it, and an older build never replaces a newer one", async () => {
  const { rookery, npmEnv, run } = openHome("forgetful", { isAutomatic: false });
  const inPlace = (): string => basename(readlinkSync(join(rookery.home.app, "current"))).split("-")[0] ?? "";
  await installTarball(older, prefix, npmEnv);
  await run("up");
  expect(inPlace()).toBe(older.version);
  await installTarball(newer, prefix, npmEnv);
  const before = rookery.pid();
  expect(await run("status")).toMatchObject({ version: older.version });
  await run("search", "anything");
  const search = await runProcess(join(prefix, "bin", "rookery"), ["search", "anything"], "", rookery.env);
  expect(search.stderr).toBe(
    `Rookery ${older.version} is installed; this command is ${newer.version}. Upgrade: rookery up\n`,
  );
  expect(inPlace()).toBe(older.version);
  expect(rookery.pid()).toBe(before);
  await rookery.kill9();
  await run("search", "anything");
  expect(inPlace()).toBe(older.version);
  expect(JSON.parse(readFileSync(rookery.home.daemonFile, "utf8"))).toMatchObject({ version: older.version });

  expect(await run("start")).toMatchObject({ outcome: "replaced", version: newer.version });
  expect(inPlace()).toBe(newer.version);
  const daemon = JSON.parse(readFileSync(rookery.home.daemonFile, "utf8"));
  expect(daemon).toMatchObject({ version: newer.version });

  await installTarball(older, prefix, npmEnv);
  const up = (...flags: string[]) =>
    runProcess(join(prefix, "bin", "rookery"), ["up", ...flags], "", rookery.env);
  expect(await up()).toMatchObject({ code: 0, stderr: expect.stringContaining("A newer Rookery is in") });
  expect(JSON.parse((await up("--json")).stdout)).toMatchObject({ daemon: "running" });
  expect(inPlace()).toBe(newer.version);
  expect(rookery.pid()).toBe(daemon.pid);
});

test("the next session installs the newer package without losing events", async () => {
  const { rookery, npmEnv, run } = openHome("next-session", { isAutomatic: true });
  const version = (): string => JSON.parse(readFileSync(rookery.home.daemonFile, "utf8")).version;
  await installTarball(older, prefix, npmEnv);
  await run("up");
  await run("install", "--settings", "user");
  const settings = join(rookery.env.HOME ?? "", ".claude", "settings.json");
  const entries = JSON.parse(readFileSync(settings, "utf8"));
  startBash(settings);
  const first = rookery.pid();
  const { client, status } = await connect(rookery);
  await installTarball(newer, prefix, npmEnv);
  expect(version()).toBe(older.version);

  await rookery.hook("SessionStart", makePayload("SessionStart", { session_id: "next" }));
  const lane = fireHooks(rookery, 0);
  await waitUntilGone([first]);
  await waitFor(() => existsSync(rookery.home.daemonFile) && version() === newer.version);
  expect(basename(readlinkSync(join(rookery.home.app, "current")))).toMatch(new RegExp(`^${newer.version}-`));
  await waitFor(async () => (await status()).includes(`Rookery ${newer.version} is ok`));
  await waitFor(() => !readFileSync(settings, "utf8").includes('"bash"'), { describe: "rewritten hooks" });
  expect(JSON.parse(readFileSync(settings, "utf8"))).toEqual(entries);
  const fired = await lane.stop();
  await waitFor(() => readdirSync(rookery.home.spool).length === 0, { describe: "an empty spool" });
  expect(rookery.query("SELECT count(*) AS n FROM events WHERE session_id = 'hooks-0'")).toEqual([
    { n: fired },
  ]);
  await client.close();
});
