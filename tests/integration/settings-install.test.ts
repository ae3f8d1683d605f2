import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { startBash } from "../support/host-world.ts";
import { isLong, someRows } from "../support/long.ts";
import { makePayload, plugin, type Ran, type Rookery, runProcess } from "../support/rookery.ts";
import { waitUntilGone } from "../support/processes.ts";
import { openTerminal } from "../support/terminal.ts";
import { useRookeriesWithoutRooms } from "../support/use-rookery.ts";

const rookeries = useRookeriesWithoutRooms();
let rookery: Rookery;
let project: string;
beforeEach(() => {
  // No claude on this PATH: tests/e2e/install.test.ts covers it.
  rookery = rookeries.open({ PATH: "/usr/bin:/bin" });
  project = join(rookery.env.HOME ?? "", "orders");
  mkdirSync(join(project, "src"), { recursive: true });
});

const at = (folder: string, ...args: string[]): Promise<Ran> =>
  runProcess(
    "sh",
    ["-c", 'cd "$0" && exec "$@"', folder, join(plugin, "bin/rookery"), ...args],
    "",
    rookery.env,
  );
const inProject = (...args: string[]): Promise<Ran> => at(project, ...args);
const anywhere = (...args: string[]): Promise<Ran> => at("/", ...args);
const read = (file: string): any => JSON.parse(readFileSync(file, "utf8"));
const userSettings = () => join(rookery.env.HOME ?? "", ".claude", "settings.json");
const put = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const ok = { code: 0, stderr: "" };

function makeOlder(buildFile: string, build: string): void {
  writeFileSync(buildFile, JSON.stringify({ ...read(buildFile), build, builtAt: 1 }));
}

describe("rookery install --settings", () => {
  it("project: in the project's files, with advice about committing them; removable from anywhere", async () => {
    put(join(project, ".mcp.json"), '{ "mcpServers": { "theirs": { "command": "x" } } }\n');
    const ran = await inProject("install", "--settings", "project");
    expect(ran).toMatchObject(ok);
    expect(ran.stdout).toContain("do not commit them");
    expect(ran.stdout).toMatch(/backup: \S+\/backups\/\.mcp\.json\.\w+/);
    const launcher = join(rookery.home.app, "current", "plugin", "bin", "rookery");
    expect(read(join(project, ".mcp.json")).mcpServers.rookery.args).toEqual([launcher, "mcp"]);
    const { hooks } = read(join(project, ".claude", "settings.json"));
    const [{ command, args }] = hooks.Stop[0].hooks;
    const hook = await runProcess(command, args, JSON.stringify(makePayload("Stop")), rookery.env);
    expect(hook).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(readdirSync(rookery.home.spool)).toHaveLength(1);

    expect(await anywhere("uninstall")).toMatchObject(ok);
    expect(existsSync(join(project, ".claude"))).toBe(false);
    expect(readFileSync(join(project, ".mcp.json"), "utf8")).toBe(
      '{ "mcpServers": { "theirs": { "command": "x" } } }\n',
    );
  });

  it("local: in settings.local.json and in Claude Code's own file under this project; --remove removes only that", async () => {
    const state = join(rookery.env.HOME ?? "", ".claude.json");
    put(state, JSON.stringify({ numStartups: 5, projects: { [project]: { allowedTools: [] } } }, null, 2));
    const before = readFileSync(state, "utf8");
    expect(await inProject("install", "--settings", "local")).toMatchObject(ok);
    expect(read(state).projects[project].mcpServers.rookery.command).toBe("sh");
    expect(readdirSync(join(project, ".claude"))).toEqual(["settings.local.json"]);
    const again = JSON.parse((await inProject("install", "--settings", "local", "--json")).stdout);
    expect(again.edited.flatMap(({ changes }: any) => changes)).toEqual([]);
    expect(await inProject("install", "--settings", "user", "--remove")).toMatchObject({
      ...ok,
      stdout: "Nothing to change.\n",
    });
    expect(await inProject("install", "--settings", "local", "--remove")).toMatchObject(ok);
    expect(readFileSync(state, "utf8")).toBe(before);
    expect(existsSync(join(project, ".claude"))).toBe(false);
  });

  it.each([
    ["up", undefined],
    ["start", "older"],
  ])(
    "rookery %s rewrites entries that ran bash, in every file; uninstall restores the bytes",
    async (command, build) => {
      const theirs = '{"hooks": {"Stop": [ {"hooks": []} ]}}';
      const files = [userSettings(), join(project, ".claude", "settings.local.json")];
      for (const file of files) put(file, theirs);
      const other = join(project, "src");
      expect(await at(other, "install", "--settings", "project")).toMatchObject(ok);
      expect(await inProject("install", "--settings", "local")).toMatchObject(ok);
      const installed = [files[1] ?? "", join(other, ".claude", "settings.json")];
      const current = installed.map(read);
      for (const file of installed) startBash(file);
      if (build) makeOlder(join(rookery.home.app, "current", "plugin", "dist", "build.json"), build);

      expect(await anywhere(command)).toMatchObject({ code: 0 });
      expect(installed.map(read)).toEqual(current);
      for (const file of installed) startBash(file);
      expect(await anywhere("uninstall")).toMatchObject(ok);
      expect(files.map((file) => readFileSync(file, "utf8"))).toEqual([theirs, theirs]);
      expect(existsSync(join(other, ".claude"))).toBe(false);
    },
  );

  it("refuses to be registered twice, and moves on request", async () => {
    expect(await inProject("install", "--settings", "project")).toMatchObject(ok);
    const refused = await inProject("install", "--settings", "user");
    expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining("--replace") });
    expect(existsSync(userSettings())).toBe(false);
    const other = join(project, "src");
    expect(await at(other, "install", "--settings", "local")).toMatchObject(ok);
    expect(await inProject("install", "--settings", "user", "--replace")).toMatchObject(ok);
    expect(existsSync(join(project, ".claude"))).toBe(false);
    expect(existsSync(join(other, ".claude"))).toBe(false);
    expect(read(userSettings()).hooks).toHaveProperty("SessionStart");
    const up = JSON.parse((await anywhere("up", "--json")).stdout);
    expect(up).toMatchObject({ plugin: "settings", daemon: "started" });
  });

  it.each([
    [["install", "--settings", "team"], 2, "user, project, local"],
    [["install", "--remove"], 2, "rookery uninstall"],
  ])("%j exits %i", async (args, code, words) => {
    expect(await anywhere(...args)).toMatchObject({ code, stderr: expect.stringContaining(words) });
  });

  it("leaves unreadable files alone and reports them; uninstall removes the rest", async () => {
    await anywhere("install", "--settings", "user");
    await anywhere("start");
    put(userSettings(), "{ // half");
    expect(await anywhere("install", "--settings", "user")).toMatchObject({ code: 5 });
    const gone = await anywhere("uninstall");
    expect(gone).toMatchObject({ code: 6, stdout: expect.stringContaining("Could not be removed:") });
    expect(gone.stdout).toContain("the daemon (process");
    expect(readFileSync(userSettings(), "utf8")).toBe("{ // half");
    expect(existsSync(rookery.home.daemonFile)).toBe(false);
  });
});

describe("rookery uninstall", () => {
  it.each(
    someRows([
      ["the daemon runs", false],
      ["it was stopped before", true],
    ]),
  )("mutes the hooks of running sessions only; up unmutes them: %s", async (_, stopped) => {
    await anywhere("up");
    const session = makePayload("SessionStart", { session_id: "live", cwd: project });
    await rookery.hook("SessionStart", session);
    if (stopped) await anywhere("stop");
    const gone = await anywhere("uninstall");
    expect(gone.stdout).toContain(`for 1 running session (process ${process.pid})`);
    expect(existsSync(rookery.home.app)).toBe(true);
    const tell = (hostPid: number) => rookery.hook("Stop", makePayload("Stop"), { hostPid });
    await tell(process.pid);
    expect(readdirSync(rookery.home.spool)).toEqual([]);
    await tell(1);
    expect(readdirSync(rookery.home.spool)).toHaveLength(1);
    await anywhere("up");
    await tell(process.pid);
    expect(rookery.query("SELECT event FROM events WHERE event = 'turn.ended'")).toHaveLength(2);
  });

  it("removes sections from CLAUDE.md files on request, and lists them otherwise", async () => {
    const file = join(project, "src", "pool.ts");
    put(file, "x\n");
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", project, "-c", "user.name=T", "-c", "user.email=t@t", ...args], {
        env: rookery.env,
      });
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "first");
    await anywhere("up");
    const note = { project, text: "The pool leaks.", files: ["src/pool.ts"] };
    expect((await rookery.call("POST", "/api/notes", note)).status).toBeLessThan(300);
    expect(await inProject("folders", "on")).toMatchObject(ok);
    const section = join(project, "src", "CLAUDE.md");
    expect(readFileSync(section, "utf8")).toContain("The pool leaks.");

    expect((await anywhere("uninstall")).stdout).toContain(
      `sections in 1 CLAUDE.md files of orders (${project})`,
    );
    expect(existsSync(section)).toBe(true);
    const gone = await anywhere("uninstall", "--folders", "--data");
    expect(gone).toMatchObject(ok);
    expect(existsSync(section)).toBe(false);
    expect(existsSync(rookery.home.root)).toBe(false);
  });

  it.each(
    someRows([
      ["no", true],
      ["yes", false],
    ]),
  )("asks at a terminal before data is deleted: %s", async (answer, stays) => {
    await anywhere("up");
    const terminal = await openTerminal({
      directory: rookery.env.HOME ?? "",
      name: "t",
      cwd: "/",
      env: { ...rookery.env, TERM: "xterm" },
      command: [join(plugin, "bin/rookery"), "uninstall", "--data"],
    });
    try {
      await terminal.waitForScreen("Type yes:");
      expect(existsSync(rookery.home.daemonFile)).toBe(true);
      await terminal.type(answer);
      await terminal.press("Enter");
      await terminal.waitForScreen(stays ? "Nothing was removed." : "Removed:");
      await waitUntilGone([terminal.pid()]);
      expect(existsSync(rookery.home.database)).toBe(stays);
    } finally {
      await terminal.close();
    }
  });

  it.runIf(isLong)("deletes by name: other files in the same folder stay", async () => {
    await anywhere("up");
    writeFileSync(join(rookery.home.root, "diary.txt"), "mine");
    const gone = await anywhere("uninstall", "--data");
    expect(gone).toMatchObject({ ...ok, stdout: expect.stringContaining("diary.txt") });
    expect(readdirSync(rookery.home.root)).toEqual(["diary.txt"]);
  });
});
