import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { locateHome } from "../../src/config/home.ts";
import { type ClaudeWorld, claudeProgram, openClaudeWorld } from "../support/claude.ts";
import { scriptTurns } from "../support/model-server.ts";
import { openOutsideBrowser, type OutsideBrowser } from "../support/outside-browser.ts";
import { repository, runProcess } from "../support/rookery.ts";
import { openTerminal, type Terminal } from "../support/terminal.ts";
import { useOutside } from "../support/use-outside.ts";
import { bash } from "../support/world.ts";

/** Written by hand, with unusual order, spacing and numbers. */
const handWritten = `{ "env": { "FOO" : "1" },\n    "cleanupPeriodDays": 3.0e1 }\n`;
const rule = "From now on, never use tabs in this project, always indent with two spaces.";

const outside = useOutside();
let world: ClaudeWorld;
let browser: OutsideBrowser | undefined;
let shell: Terminal | undefined;
const steps: string[] = [];

beforeEach(async () => {
  world = await openClaudeWorld({ env: { ROOKERY_PORT: "0", ROOKERY_MATRIX_PORT: "0" } });
  writeFileSync(join(world.home, ".claude", "settings.json"), handWritten);
  const bin = join(world.home, ".local", "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "claude"), `#!/bin/sh\nexec "${claudeProgram}" "$@"\n`, { mode: 0o755 });
  world.env.PATH = `${bin}:${world.env.PATH}`;
});
afterEach(async () => {
  await browser?.close();
  await shell?.close();
  if (existsSync(locateHome(world.env).daemonFile)) await rookery("stop");
  await world.close();
});

const rookery = (...args: string[]) =>
  runProcess(join(world.home, ".local", "bin", "rookery"), args, "", world.env);

/** Measures a step and counts what a person types or presses in it. */
async function step<T>(name: string, keys: number, act: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await act();
  steps.push(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${keys} keys or clicks`);
  return result;
}

it("a newcomer's path: install, import, a dialog answered in the browser, a second session that knows, uninstall", async () => {
  // Sessions from before Rookery was known.
  world.model.respondWith(() => ({ text: "Understood." }));
  expect((await world.run(rule)).code).toBe(0);

  // `npm start` installs and builds, as the test run has done already, and then runs this.
  await step("up, with the import", "npm start\n\n".length, async () => {
    shell = await openTerminal({
      ...{ directory: dirname(world.home), name: "start", env: world.env, cwd: repository },
      command: [join(repository, "bin", "rookery"), "up"],
    });
    expect(await shell.waitForScreen("Remember your 1 earlier session")).toContain("Rookery is up.");
    await shell.press("Enter");
    await shell.waitForScreen("Learned, for example:");
    expect(await shell.waitForScreen("never use tabs")).not.toContain(" in 0 s");
  });

  const run = [{ tools: [bash("mkdir nest")] }, { text: "NEST-MADE" }];
  world.model.respondWith(scriptTurns({ "GO-MKDIR": run }));
  const terminal = await step("claude", "claude\n".length, () => world.interactive());
  const started = (await terminal.waitForScreen(/#code=[\w-]+/)).replace(/\s+/g, "");
  await step("the prompt, up to its dialog", "GO-MKDIR\n".length, async () => {
    await terminal.submit("GO-MKDIR");
    await terminal.waitForScreen("Do you want to proceed");
  });

  await step("the link of the start line, and the answer", 2, async () => {
    const [address = ""] = /http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]+?(?=·|$)/.exec(started) ?? [];
    browser = await openOutsideBrowser(outside);
    const page = await browser.open(address);
    const card = page.locator(".question", { hasText: "mkdir nest" });
    await card.getByRole("button", { name: "Allow once" }).click();
    await card.getByText("You allowed it once.").waitFor();
    await terminal.waitForScreen("NEST-MADE");
  });
  expect(existsSync(join(world.project, "nest"))).toBe(true);
  await terminal.submit("/exit");
  await terminal.close();

  await step("a second session", "claude -p hello\n".length, async () => {
    world.model.respondWith(() => ({ text: "Hello." }));
    expect((await world.run("hello")).code).toBe(0);
    expect(world.model.requests.at(-1)?.text).toContain("never use tabs");
  });

  await step("rookery uninstall", "rookery uninstall --data\n".length, async () => {
    const gone = await rookery("uninstall", "--data");
    expect(gone).toMatchObject({ code: 0, stderr: "" });
  });
  expect(readFileSync(join(world.home, ".claude", "settings.json"), "utf8")).toBe(handWritten);
  for (const left of [".rookery", ".local/bin/rookery"])
    expect(existsSync(join(world.home, left))).toBe(false);
  console.log(steps.join("\n"));
});
