import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { processesMentioning, waitFor } from "../support/processes.ts";
import { plugin, type Ran, runProcess } from "../support/rookery.ts";

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
    // A user's own settings and session: none of it may reach the demo.
    ROOKERY_OFF: "1",
    ROOKERY_CONTEXT_TOKENS: "0",
    CLAUDE_SESSION_ID: "s-user",
    GIT_DIR: join(folder, "user.git"),
  };
});
afterEach(async () => {
  const left = await processesMentioning(folder);
  rmSync(folder, { recursive: true, force: true });
  expect(left).toEqual([]);
});

const demo = (...args: string[]): Promise<Ran> =>
  runProcess(join(plugin, "bin", "rookery"), ["demo", ...args], "", env);

/** The same plugin with another recording, or none. */
function demoWith(change: (recording: string) => string | undefined, ...args: string[]): Promise<Ran> {
  const copy = join(folder, "plugin");
  cpSync(plugin, copy, { recursive: true });
  const file = join(copy, "demo", "recording.jsonl");
  const changed = change(readFileSync(file, "utf8"));
  if (changed === undefined) rmSync(file);
  else writeFileSync(file, changed);
  return runProcess(join(copy, "bin", "rookery"), ["demo", ...args], "", env);
}

const filesOfUser = (): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(folder, "plugin")))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

describe("rookery demo", () => {
  it("replays a session for real, keeps every promise it shows, and leaves nothing behind", async () => {
    const startedAt = Date.now();
    const { code, stdout, stderr } = await demo("--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(Date.now() - startedAt).toBeLessThan(30_000);
    const facts = JSON.parse(stdout);
    expect(facts.promises).toEqual({
      "every event is stored": true,
      "what matters is remembered": true,
      "no secret is in any file": true,
      "the look through the files finds what is there": true,
      "no search finds a secret": true,
      "the search finds the cause": true,
      "the next session is given it": true,
    });
    expect(facts.looked.found).toMatchObject({ [facts.planted.key]: [], Halden: [], "88204": [] });
    expect(facts.looked.found.addWorkingDays).not.toEqual([]);
    expect(facts.observations.map(({ type }: any) => type)).toEqual(
      expect.arrayContaining(["discovery", "bugfix", "preference", "decision", "problem-solution"]),
    );
    expect(JSON.stringify(facts.observations)).toContain("[secret:");
    expect(facts.nextSession).toMatch(/^<rookery-memory project="parcel-api">[\s\S]*<\/rookery-memory>$/);
    expect(facts.latencies.PostToolUse.p50Ms).toBeGreaterThan(0);
    expect(facts.keptIn).toBe(null);
    // The launcher remembers which Node it chose; nothing else is written anywhere.
    expect(filesOfUser()).toEqual(["user/run/node"]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("tells it in plain text of at most 80 columns", async () => {
    const { code, stdout } = await demo();
    expect(code).toBe(0);
    expect(stdout).not.toContain("\u001b");
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    for (const words of [
      /preference +Never reset the staging database/,
      /Halden +from inside <private>…<\/private> +in 0 of \d+ files/,
      /│ <rookery-memory project="parcel-api">/,
      /PostToolUse [\d.]+ ms/,
      /npm start/,
    ])
      expect(stdout).toMatch(words);
    expect(stdout).not.toContain("NOT KEPT");
  });

  it("keeps the home when asked, with the daemon stopped, and it can be looked at", async () => {
    const { stdout } = await demo("--keep", "--json");
    const { keptIn } = JSON.parse(stdout);
    expect(await processesMentioning(folder)).toEqual([]);
    const { ROOKERY_OFF: _, ...plain } = env;
    const inDemo = { ...plain, ROOKERY_HOME: join(keptIn, "home") };
    const rookery = (...args: string[]) => runProcess(join(plugin, "bin", "rookery"), args, "", inDemo);
    await rookery("start");
    expect((await rookery("search", "trigger")).stdout).toContain("parcel-api");
    await rookery("stop");
    await waitFor(async () => (await processesMentioning(folder)).length === 0);
  });

  it("cleans up after Ctrl-C", async () => {
    const child = spawn(join(plugin, "bin", "rookery"), ["demo"], { env, stdio: "ignore" });
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    const isUnderWay = (): boolean =>
      readdirSync(temporary, { recursive: true }).some((path) => String(path).endsWith("rookery.db"));
    await waitFor(isUnderWay);
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    expect(readdirSync(temporary)).toEqual([]);
    expect(await processesMentioning(folder)).toEqual([]);
  });

  it("cleans up when it fails", async () => {
    const { code, stderr } = await demoWith(() => undefined);
    expect(code).toBe(70);
    expect(stderr).toContain("recording.jsonl");
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("says so and fails when a promise does not hold", async () => {
    const { code, stdout } = await demoWith((text) => text.replaceAll(/<\/?private>/g, ""));
    expect(code).toBe(70);
    expect(stdout).toMatch(/NOT KEPT:\n {2}no secret is in any file\n {2}no search finds a secret\n/);
    expect(readdirSync(temporary)).toEqual([]);
  });
});
