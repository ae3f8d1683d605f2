import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { locateHome } from "../../src/config/home.ts";
import { type ClaudeWorld, openClaudeWorld } from "../support/claude.ts";
import { scriptTurns } from "../support/model-server.ts";
import { waitUntilGone } from "../support/processes.ts";
import { plugin, type Ran, runProcess } from "../support/rookery.ts";
import { bash } from "../support/world.ts";

const claude = fileURLToPath(new URL("../tools/node_modules/.bin/claude", import.meta.url));

let world: ClaudeWorld;
beforeEach(async () => {
  world = await openClaudeWorld({ env: { ROOKERY_PORT: "0", ROOKERY_MATRIX_PORT: "0" } });
  mkdirSync(join(world.home, "bin"));
  writeFileSync(join(world.home, "bin", "claude"), `#!/bin/sh\nexec "${claude}" "$@"\n`, { mode: 0o755 });
  world.env.PATH = `${join(world.home, "bin")}:${world.env.PATH}`;
});
afterEach(async () => {
  if (existsSync(locateHome(world.env).daemonFile)) await rookery("stop");
  await world.close();
});

const rookery = (...args: string[]): Promise<Ran> =>
  runProcess(join(plugin, "bin", "rookery"), args, "", world.env);

it("a session that runs during an uninstall continues silently, and nothing more is written", async () => {
  const home = locateHome(world.env);
  world.model.respondWith(
    scriptTurns({
      "one step": [{ tools: [bash("echo one")] }, { text: "did one" }],
      "two steps": [{ tools: [bash("echo two")] }, { text: "did two" }],
    }),
  );
  expect(await rookery("up")).toMatchObject({ code: 0 });
  const terminal = await world.interactive(["--allowedTools", "Bash(echo *)"]);
  await terminal.submit("one step");
  await terminal.waitForScreen("did one");

  const gone = await rookery("uninstall", "--data");
  expect(gone).toMatchObject({ code: 0, stderr: "" });
  expect(gone.stdout).toMatch(/Stays:\n {2}\S+app, for 1 running session \(process \d+\)/);
  await terminal.submit("two steps");
  await terminal.waitForScreen("did two");
  // Its Stop hook has ended when the prompt is shown again with the duration of the turn.
  await terminal.waitForScreen(/did two\n+.* for \d+s/);
  expect(await terminal.screen()).not.toMatch(/hook error/i);
  expect(readdirSync(home.root).toSorted()).toEqual(["app", "run"]);
  expect(readdirSync(home.run).toSorted()).toEqual(["left", "stopped"]);

  // Again, while it still runs: the files it needs stay.
  expect((await rookery("uninstall", "--data")).stdout).toContain("for 1 running session");
  await terminal.submit("/exit");
  await waitUntilGone([terminal.pid()]);
  expect(await rookery("uninstall", "--data")).toMatchObject({ code: 0 });
  expect(existsSync(home.root)).toBe(false);
});
