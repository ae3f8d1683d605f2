import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isLong } from "../support/long.ts";
import { processesMentioning, waitFor } from "../support/processes.ts";
import { plugin, type Ran, runProcess } from "../support/rookery.ts";
import { openTerminal, type Terminal } from "../support/terminal.ts";
import { useOutside } from "../support/use-outside.ts";

/** A person: the process that runs these tests may belong to an agent, whose answers do not count. */
const person = useOutside();

let folder: string;
let temporary: string;
let env: Record<string, string>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rk-"));
  temporary = mkdtempSync(join(folder, "t-"));
  env = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: folder,
    TMPDIR: temporary,
    ROOKERY_HOME: join(folder, "user"),
    ROOKERY_NODE: process.execPath,
    // The user's own settings and session must not affect the demo.
    ROOKERY_OFF: "1",
    ROOKERY_CONTEXT_TOKENS: "0",
    CLAUDE_SESSION_ID: "s-user",
    GIT_DIR: join(folder, "user.git"),
  };
});
const isOver = (): Promise<unknown> =>
  waitFor(async () => (await processesMentioning(folder)).length === 0, {
    describe: async () => `no process, not ${JSON.stringify(await processesMentioning(folder))}`,
  });
afterEach(async () => {
  await isOver();
  rmSync(folder, { recursive: true, force: true });
});

/** The plugin, whose hooks wait for the daemon as long as a busy machine needs: a lost answer would break a promise. */
const patient = mkdtempSync(join(tmpdir(), "rk-"));
beforeAll(() => {
  cpSync(plugin, patient, { recursive: true });
  const script = join(patient, "hooks", "hook.sh");
  const text = readFileSync(script, "utf8");
  expect(text.match(/\bcap=[\d.]+/g)).toHaveLength(3);
  writeFileSync(script, text.replaceAll(/\bcap=[\d.]+/g, "cap=60"));
});
afterAll(() => rmSync(patient, { recursive: true, force: true }));

const launcher = join(patient, "bin", "rookery");
const demo = (...args: string[]): Promise<Ran> => person.run(["sh", launcher, "demo", ...args], env);

/** The temporary home of the running demo. */
function findStage(): { home: { daemonFile: string; token: string } } {
  const [folder = ""] = readdirSync(temporary);
  const home = join(temporary, folder, "home");
  return { home: { daemonFile: join(home, "daemon.json"), token: join(home, "token") } };
}

/** Runs on its own terminal, in which the test presses keys. */
async function onTerminal(play: (terminal: Terminal) => Promise<void>): Promise<void> {
  const command = ["sh", launcher, "demo"];
  const where = { directory: folder, name: "t", cwd: folder, env: { ...env, TERM: "xterm" } };
  const terminal = await openTerminal({ ...where, command });
  try {
    await play(terminal);
  } finally {
    await terminal.close();
  }
}

/** The same plugin with another recording, or none. */
function demoWith(change: (recording: string) => string | undefined, ...args: string[]): Promise<Ran> {
  const copy = join(folder, "plugin");
  cpSync(patient, copy, { recursive: true });
  const file = join(copy, "demo", "recording.jsonl");
  const changed = change(readFileSync(file, "utf8"));
  if (changed === undefined) rmSync(file);
  else writeFileSync(file, changed);
  return person.run(["sh", join(copy, "bin", "rookery"), "demo", ...args], env);
}

const filesOfUser = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(folder, "plugin")))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

describe("rookery demo", () => {
  it("replays a session for real, keeps every promise it shows, and cleans up", async () => {
    const { code, stdout, stderr } = await demo("--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { promises, memory, question, agents, keptIn } = JSON.parse(stdout);
    expect(promises).toEqual({
      "every event is stored": true,
      "what matters is remembered": true,
      "no secret is in any file": true,
      "the scan finds words that are there": true,
      "no search finds a secret": true,
      "the search finds the cause": true,
      "the next session starts with it": true,
      "a session of another host knows the decision": true,
      "a question stays open until it is answered": true,
      "the answer from the browser reaches the session": true,
      "a late answer is refused and names the first": true,
      "the session's next event confirms it": true,
      "an agent is warned before it edits a claimed file": true,
      "a busy agent reads a message after its next tool call, fenced": true,
      "the delivery is confirmed from the transcript": true,
      "the reply is delivered": true,
      "people can read along in the project's room": true,
    });
    expect(memory.scan.found).toMatchObject({ [memory.planted.key]: [], Halden: [], "HM-88204": [] });
    expect(memory.scan.found.addWorkingDays).not.toEqual([]);
    expect(memory.notes.map(({ type }: any) => type)).toEqual(
      expect.arrayContaining(["bugfix", "preference", "decision", "problem-solution"]),
    );
    expect(JSON.stringify(memory.notes)).toContain("[secret:");
    expect(memory.nextSession).toMatch(/^<rookery-memory project="parcel-api">[\s\S]*<\/rookery-memory>$/);
    expect(memory.elsewhere).toMatchObject({
      host: "Codex",
      context: expect.stringContaining("Queue it, try every 10 minutes"),
    });
    expect(memory.latencies["tool.after"].p50Ms).toBeGreaterThan(0);
    expect(JSON.parse(question.decision).hookSpecificOutput.decision).toMatchObject({
      behavior: "allow",
      updatedInput: { answers: { [question.question]: "Only those older than a day" } },
    });
    expect(question).toMatchObject({ chosenBy: "demo", refusal: null, verdict: "confirmed" });
    expect(question.late).toMatchObject({ exitCode: 5, message: question.outcome });
    expect(agents.message).toMatchObject({ point: "tool.after", state: "confirmed" });
    expect(agents.message.given).toMatch(
      /<rookery-delivery id="[^"]+" kind="message" from="parcel-api-rook"/,
    );
    expect(agents.rooms.map(({ kind }: any) => kind)).toEqual(expect.arrayContaining(["project", "direct"]));
    expect(keptIn).toBe(null);
    // The launcher records which Node it chose; no other file is written.
    expect(filesOfUser()).toEqual(["user/run/node"]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.runIf(isLong)("prints plain text of at most 80 columns", async () => {
    const { code, stdout } = await demo();
    expect(code).toBe(0);
    expect(stdout).not.toContain("\u001b");
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    for (const words of [
      /preference +Never reset the staging database/,
      /Halden +from inside <private>…<\/private> +in 0 of \d+ files/,
      /│ <rookery-memory project="parcel-api">/,
      /So does a session of Codex in the same project/,
      /✓ Answered in the viewer: Only those older than a day/,
      /✗ exit 5: Answered in the viewer/,
      /│ <rookery-lease holder="parcel-api-rook">/,
      /│ <rookery-delivery id="/,
      /✓ 17 promises checked, 17 kept/,
      /tool\.after [\d.]+ ms/,
      /rookery up +put it into your Claude Code/,
    ])
      expect(stdout).toMatch(words);
    expect(stdout).not.toContain("NOT KEPT");
  });

  it.runIf(isLong)("keeps the home on request, with the daemon stopped and the data readable", async () => {
    const { stdout } = await demo("--keep", "--json");
    const { keptIn } = JSON.parse(stdout);
    await isOver();
    const { ROOKERY_OFF: _, ...plain } = env;
    const inDemo = { ...plain, ROOKERY_HOME: join(keptIn, "home") };
    const rookery = (...args: string[]) => runProcess(launcher, args, "", inDemo);
    await rookery("start");
    expect((await rookery("search", "trigger")).stdout).toContain("parcel-api");
    await rookery("stop");
  });

  it("lets a person at a terminal answer in the browser", () =>
    onTerminal(async (terminal) => {
      await terminal.waitForScreen(/#code=[\w-]+\s+Waiting for you, \d+ s/);
      const stage = findStage();
      const open = await person.call(stage, "GET", "/api/questions?state=open");
      const [{ id }] = open.json.questions;
      await person.call(stage, "POST", `/api/questions/${id}/answer`, { answers: [["All 311"]] });
      await terminal.waitForScreen("Your page stays open until you press Enter.");
      expect((await person.call(stage, "GET", "/api/questions")).status).toBe(200);
      await terminal.press("Enter");
      const told = await terminal.waitForScreen("The throwaway home is removed again.");
      expect(told).toContain("You answered in the browser.");
      expect(told).toContain("✓ Answered in the viewer: All 311");
      expect(told).not.toContain("NOT KEPT");
      await waitFor(() => readdirSync(temporary).length === 0);
    }));

  it.runIf(isLong)("answers on its own when Enter is pressed", () =>
    onTerminal(async (terminal) => {
      await terminal.waitForScreen("Waiting for you");
      await terminal.press("Enter");
      const told = await terminal.waitForScreen("The throwaway home is removed again.");
      expect(told).toContain("The demo answers as the browser would");
      await waitFor(() => readdirSync(temporary).length === 0);
    }),
  );

  it.runIf(isLong)("cleans up after Ctrl-C while it waits", () =>
    onTerminal(async (terminal) => {
      await terminal.waitForScreen("Waiting for you");
      await terminal.press("C-c");
      await waitFor(() => readdirSync(temporary).length === 0, { describe: "the throwaway home to go" });
    }),
  );

  it("shows that an agent cannot answer for its person, if an agent runs it", async () => {
    env.CLAUDECODE = "1";
    const { code, stdout } = await demo("--json");
    const { promises, question } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(question).toMatchObject({ chosenBy: "terminal", refusal: expect.stringContaining("Claude Code") });
    expect(promises).toMatchObject({ "an agent cannot answer for its person": true });
  });

  it("cleans up after Ctrl-C", async () => {
    const child = spawn(launcher, ["demo"], { env, stdio: "ignore" });
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    const isUnderWay = (): boolean =>
      readdirSync(temporary, { recursive: true }).some((path) => String(path).endsWith("rookery.db"));
    await waitFor(isUnderWay);
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(readdirSync(temporary)).toEqual([]);
    await isOver();
  });

  it.runIf(isLong)("cleans up when its reader hangs up", async () => {
    await runProcess("bash", ["-c", `"${launcher}" demo --quick | head -n 1`], "", env);
    expect(readdirSync(temporary)).toEqual([]);
    await isOver();
  });

  it("cleans up when it fails", async () => {
    const { code, stderr } = await demoWith(() => undefined);
    expect(code).toBe(70);
    expect(stderr).toContain("recording.jsonl");
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("reports a broken promise and fails", async () => {
    const { code, stdout } = await demoWith((text) => text.replaceAll(/<\/?private>/g, ""));
    expect(code).toBe(70);
    expect(stdout).toMatch(/NOT KEPT:\n {2}no secret is in any file\n {2}no search finds a secret\n/);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
