import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type CodexWorld, openCodexWorld } from "../support/codex.ts";
import { openRookery } from "../support/rookery.ts";
import { allBait, launcher, layShellBait, listSpooled, placeMarketplace } from "../support/host-world.ts";

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
  // The current hooks start a daemon.
  await world.run(launcher, "stop");
  expect(listSpooled(world)).toEqual([]);
});

test("installing and uninstalling restores the configuration byte by byte", async () => {
  const file = join(world.home, ".codex", "config.toml");
  const before = readFileSync(file, "utf8");
  const { PATH = "", HOME = "" } = world.env;
  const rookery = openRookery({ PATH, HOME });
  try {
    for (const outcome of ["installed", "present"])
      expect(JSON.parse((await rookery.cli("install", "--host", "codex", "--json")).stdout)).toMatchObject({
        outcome,
      });
    expect((await rookery.cli("doctor")).stdout).toContain("Codex trusts 0 of our 12 hooks");
    // As Codex records it when the person trusts a hook.
    const trust =
      '[hooks.state."rookery@rookery:hosts/codex/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:0"\n';
    appendFileSync(file, `\n${trust}`);
    expect((await rookery.cli("uninstall", "--yes")).stdout).toContain("Rookery in Codex");
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(existsSync(join(world.home, ".codex", "plugins", "cache", "rookery"))).toBe(false);
  } finally {
    await rookery.close();
  }
});

test("up says that Codex asks whether to trust the hooks, until all are trusted", async () => {
  const { PATH = "", HOME = "" } = world.env;
  const rookery = openRookery({ PATH, HOME });
  const up = async () => (await rookery.cli("up")).stdout;
  const question = "Codex asks once whether to trust the hooks";
  try {
    expect(await up()).toMatch(new RegExp(`install --host codex[^]*${question}`));
    await rookery.cli("install", "--host", "codex");
    expect(await up()).toContain(question);
    const trusted = Array.from({ length: 12 }, (_, n) => `[hooks.state."rookery@rookery:hooks.json:${n}"]`);
    appendFileSync(join(HOME, ".codex", "config.toml"), `\n${trusted.join("\n")}\n`);
    expect(await up()).not.toContain(question);
  } finally {
    await rookery.close();
  }
});
