import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { locateHome } from "../../src/config/home.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { type ClaudeWorld, openClaudeWorld } from "../support/claude.ts";
import { type ModelStep, scriptTurns } from "../support/model-server.ts";
import { waitFor } from "../support/processes.ts";
import { type Ran, runProcess } from "../support/rookery.ts";
import { installTarball, packTarballs, type Tarball } from "../support/tarball.ts";

const claude = fileURLToPath(new URL("../tools/node_modules/.bin/claude", import.meta.url));

/** Written by hand, with unusual order, spacing and numbers. */
const handWritten = `{
    "model": "opus",   "env": { "FOO" : "1" },
    "hooks": {
        "Stop": [ { "hooks": [ {"type":"command","command":"true"} ] } ]
    },
    "cleanupPeriodDays": 3.0e1, "enabledPlugins": {}
}
`;

let older: Tarball;
let newer: Tarball;
let world: ClaudeWorld;
let prefix: string;
let settings: string;

beforeAll(async () => {
  ({ older, newer } = await packTarballs());
});
beforeEach(async () => {
  world = await openClaudeWorld({ env: { ROOKERY_PORT: "0", ROOKERY_MATRIX_PORT: "0" } });
  prefix = join(dirname(world.home), "prefix");
  settings = join(world.home, ".claude", "settings.json");
  writeFileSync(settings, handWritten);
  // The user's own claude, outside any node_modules, and the command that npm links, both on PATH.
  mkdirSync(join(prefix, "bin"), { recursive: true });
  writeFileSync(join(prefix, "bin", "claude"), `#!/bin/sh\nexec "${claude}" "$@"\n`, { mode: 0o755 });
  world.env.PATH = `${join(prefix, "bin")}:${world.env.PATH}`;
});
afterEach(async () => {
  if (existsSync(locateHome(world.env).daemonFile)) await rookery("stop");
  await world.close();
});

const rookery = (...args: string[]): Promise<Ran> =>
  runProcess(join(prefix, "bin", "rookery"), args, "", world.env);
const json = async (...args: string[]): Promise<any> => JSON.parse((await rookery(...args, "--json")).stdout);

/** Everything below a folder, with link targets. */
function listTree(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

function query<T>(sql: string): T[] {
  const database = openDatabase(locateHome(world.env).database, { readOnly: true });
  try {
    return database.all<T>(sql);
  } finally {
    database.close();
  }
}

/** Runs a session that calls one of our tools; returns the result, and how often each of its events was stored. */
async function useTool(
  server: string,
  tool: string,
  input: object,
): Promise<{ result: string; events: any }> {
  const name = `mcp__${server}__${tool}`;
  const steps: ModelStep[] = [{ tools: [{ name, input }] }, { text: "It is done." }];
  world.model.respondWith(scriptTurns({ [tool]: steps }));
  const run = await world.run(`please ${tool}`, ["--allowedTools", name]);
  expect(run).toMatchObject({ code: 0, stderr: "" });
  const [result] = run.lines
    .filter(({ type }) => type === "user")
    .flatMap(({ message }) => message.content)
    .filter(({ type }: { type: string }) => type === "tool_result");
  await waitFor(
    () => query(`SELECT 1 FROM events WHERE event = 'session.ended' AND session_id = '${run.sessionId}'`)[0],
  );
  const rows = query<{ event: string; n: number }>(
    `SELECT event, count(*) AS n FROM events WHERE session_id = '${run.sessionId}' GROUP BY event`,
  );
  return {
    result: JSON.stringify(result),
    events: Object.fromEntries(rows.map(({ event, n }) => [event, n])),
  };
}

function runningVersion(): string | undefined {
  const { daemonFile } = locateHome(world.env);
  // There is none for a moment during the handover.
  return existsSync(daemonFile) ? JSON.parse(readFileSync(daemonFile, "utf8")).version : undefined;
}

const once = {
  "session.started": 1,
  prompt: 1,
  "tool.before": 1,
  "tool.after": 1,
  "turn.ended": 1,
  "session.ended": 1,
};

describe("the packed artefact", () => {
  it("is self-contained and small, and runs from any link and folder", async () => {
    await installTarball(older, prefix, world.env);
    const folder = join(prefix, "lib", "node_modules", "rookery");
    const files = listTree(folder)
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile());
    const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0);
    console.log(
      `installed: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB; packed: ${(statSync(older.file).size / 1e6).toFixed(1)} MB`,
    );
    expect(bytes).toBeLessThan(60_000_000);
    expect(existsSync(join(folder, "node_modules"))).toBe(false);
    expect(readdirSync(dirname(folder))).toEqual(
      [".package-lock.json", "rookery"].filter((name) => existsSync(join(dirname(folder), name))),
    );
    const { scripts, dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect(dependencies).toBeUndefined();
    expect(Object.keys(scripts).filter((name) => /install|^prepare$/.test(name))).toEqual([]);

    const bin = join(prefix, "bin", "rookery");
    expect(lstatSync(bin).isSymbolicLink()).toBe(true);
    const link = join(world.home, "a link to it");
    symlinkSync(relative(world.home, bin), link);
    const npx = ["npx", "--yes", "--offline", "--package", older.file, "rookery"];
    const env = { ...world.env, npm_config_cache: join(prefix, ".npm-cache") };
    for (const words of [[bin], [link], ["sh", link], npx]) {
      const line = 'cd "$0" && "$@" version --json';
      const { stdout } = await runProcess("sh", ["-c", line, world.home, ...words], "", env);
      expect(JSON.parse(stdout)).toMatchObject({ version: older.version });
    }
  });
});

describe("install, use, upgrade, uninstall", () => {
  it("as a plugin: the settings have the same bytes afterwards, and nothing of ours is left", async () => {
    await installTarball(older, prefix, world.env);
    const up = await rookery("up");
    expect(up).toMatchObject({ code: 0, stderr: "" });
    expect(up.stdout).toContain("installed into");
    expect(up.stdout).not.toContain("on your PATH");
    expect(await json("install")).toMatchObject({ outcome: "present" });

    // Sessions do not run the package itself, so it may disappear, as it does for a moment in every upgrade.
    rmSync(join(prefix, "lib", "node_modules", "rookery"), { recursive: true });
    const plugin = "plugin_rookery_rookery";
    const saved = await useTool(plugin, "memory_save", { text: "The lantern is blue." });
    expect(saved).toMatchObject({ result: expect.stringContaining("Remembered as"), events: once });

    // Without `rookery up`: the next session upgrades, and updates Claude Code's registration.
    await installTarball(newer, prefix, world.env);
    const found = await useTool(plugin, "memory_search", { query: "lantern" });
    expect(found).toMatchObject({ result: expect.stringContaining("blue"), events: once });
    await waitFor(() => runningVersion() === newer.version);
    await waitFor(
      async () => {
        const [listed] = JSON.parse((await world.cli(["plugin", "list", "--json"])).stdout);
        return listed.version === newer.version && listed.folderVersion === newer.version;
      },
      { describe: "Claude Code to list the newer version" },
    );
    expect(await json("up")).toMatchObject({ plugin: "present", daemon: "running" });

    await leave();
  });

  it("in settings, where plugins cannot be used: the settings have the same bytes afterwards, and nothing of ours is left", async () => {
    world.env.ROOKERY_UPGRADE_AUTOMATIC = "false";
    await installTarball(older, prefix, world.env);
    const before = JSON.parse(readFileSync(join(world.home, ".claude.json"), "utf8"));
    const dry = await rookery("install", "--settings", "user", "--dry-run");
    expect(dry.stdout).toContain("+ hooks.Stop[1] = ");
    expect(readFileSync(settings, "utf8")).toBe(handWritten);
    const installed = await rookery("install", "--settings", "user");
    expect(installed).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining("backup: "),
    });
    expect(await rookery("install")).toMatchObject({ code: 5, stderr: expect.stringContaining("already") });

    // The first session starts the daemon on its own.
    const saved = await useTool("rookery", "memory_save", { text: "The lantern is blue." });
    expect(saved).toMatchObject({ result: expect.stringContaining("Remembered as"), events: once });

    await installTarball(newer, prefix, world.env);
    expect(await json("up")).toMatchObject({ plugin: "settings", daemon: "replaced" });
    const found = await useTool("rookery", "memory_search", { query: "lantern" });
    expect(found).toMatchObject({ result: expect.stringContaining("blue"), events: once });

    await leave();
    const { mcpServers } = JSON.parse(readFileSync(join(world.home, ".claude.json"), "utf8"));
    expect(mcpServers).toEqual(before.mcpServers);
  });

  async function leave(): Promise<void> {
    const dry = await rookery("uninstall", "--data", "--dry-run");
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining("Would remove:") });
    expect(existsSync(join(world.home, ".rookery", "app", "current"))).toBe(true);
    const gone = await rookery("uninstall", "--data");
    expect(gone).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("Removed:") });
    expect(readFileSync(settings, "utf8")).toBe(handWritten);
    // Claude Code's own logs about its MCP servers.
    const left = listTree(world.home).filter(
      (path) => path.includes("rookery") && !path.startsWith(".cache"),
    );
    expect(left).toEqual([]);
    const { stdout } = await world.cli(["plugin", "list", "--json"]);
    expect(JSON.parse(stdout)).toEqual([]);
    const run = await world.run("hello");
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(join(world.home, ".rookery"))).toBe(false);
  }
});
