import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CopilotWorld, openCopilotWorld } from "../support/copilot.ts";
import {
  allBait,
  launcher,
  layShellBait,
  listSpooled,
  placeMarketplace,
  startBash,
} from "../support/host-world.ts";

let world: CopilotWorld;
beforeEach(async () => {
  world = await openCopilotWorld();
});
afterEach(() => world.close());

type Form = "bash" | "current";
const denied = /Denied by preToolUse hook/;

describe.each<[string, (form: Form) => Promise<string[]>]>([
  ["the plugin", async (form) => ["--plugin-dir", join(placeMarketplace(world, form), "plugin")]],
  [
    "settings of the project",
    async (form) => {
      expect(await world.run(launcher, "install", "--settings", "project")).toMatchObject({ code: 0 });
      if (form === "bash") startBash(join(world.project, ".claude", "settings.json"));
      return [];
    },
  ],
])("shell syntax in a prompt and in a tool's output, hooks from %s", (_, register) => {
  test.each<[string, Form, string[], RegExp]>([
    ["is executed where bash is the command, since Copilot ignores args", "bash", allBait, denied],
    ["is never executed, and no tool is denied", "current", [], /^\$\(touch /],
  ])("%s", async (_name, form, expected, result) => {
    const bait = layShellBait(world);
    const args = await register(form);
    const input = { command: bait.command, description: "step" };
    world.model.play([{ tools: [{ name: "bash", input }] }]);

    expect(await world.prompt(bait.prompt, ...args)).toMatchObject({ code: 0 });
    expect(bait.sprung()).toEqual(expected);
    expect(world.model.requests.at(-1)?.results).toEqual([expect.stringMatching(result)]);
    expect(listSpooled(world)).toEqual([]);
  });
});
