import { afterEach, beforeEach, expect, test } from "vitest";
import { type CodexWorld, openCodexWorld } from "../support/codex.ts";
import { allBait, layShellBait, listSpooled, placeMarketplace } from "../support/host-world.ts";

let world: CodexWorld;
beforeEach(async () => {
  world = await openCodexWorld();
});
afterEach(() => world.close());

test.each([
  ["is executed where bash is the command, since Codex ignores args", "bash", allBait],
  ["is never executed", "current", []],
] as const)("shell syntax in a prompt and in a tool's output %s", async (_, form, expected) => {
  const bait = layShellBait(world);
  for (const args of [
    ["marketplace", "add", placeMarketplace(world, form)],
    ["add", "rookery@rookery"],
  ])
    expect(await world.cli("plugin", ...args)).toMatchObject({ code: 0 });
  world.model.play([{ tools: [{ name: "exec_command", input: { cmd: bait.command } }] }]);

  expect(await world.prompt(bait.prompt)).toMatchObject({ code: 0 });
  expect(bait.sprung()).toEqual(expected);
  expect(world.model.requests.at(-1)?.results).toEqual([expect.stringContaining("$(touch ")]);
  expect(listSpooled(world)).toEqual([]);
});
