import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { plugin, type Ran, repository, runProcess } from "../support/rookery.ts";
import { openWorld, type World } from "../support/world.ts";

const claude = fileURLToPath(new URL("../tools/node_modules/.bin/claude", import.meta.url));

let world: World;
beforeEach(async () => {
  world = await openWorld({ install: true });
});
afterEach(() => world.close());

/** Our CLI as the user runs it: with their own claude on PATH, outside any node_modules. */
function rookery(...args: string[]): Promise<Ran> {
  const bin = join(world.home, "bin");
  const shim = join(bin, "claude");
  mkdirSync(bin, { recursive: true });
  writeFileSync(shim, `#!/bin/sh\nexec "${claude}" "$@"\n`, { mode: 0o755 });
  return runProcess(join(plugin, "bin", "rookery"), args, "", {
    ...world.env,
    PATH: `${bin}:${world.env.PATH}`,
  });
}

const settingsFile = () => join(world.home, ".claude", "settings.json");
const readSettings = (): unknown =>
  existsSync(settingsFile()) ? JSON.parse(readFileSync(settingsFile(), "utf8")) : undefined;

describe("the plugin", () => {
  it("passes the host's own strict validation, and so does the marketplace", async () => {
    for (const folder of [plugin, repository]) {
      const { code, stdout, stderr } = await world.cli(["plugin", "validate", "--strict", folder]);
      expect(`${code} ${stdout}${stderr}`).toMatch(/^0 /);
    }
  });

  it("installs from the checkout, works, and leaves no settings where there were none", async () => {
    const up = await rookery("up");
    expect(up).toMatchObject({ code: 0, stderr: "" });
    expect(up.stdout).toContain("installed into");
    expect((await rookery("install", "--json")).stdout).toContain('"present"');

    const run = await world.run("hello");
    expect(run.code).toBe(0);
    expect(world.events(run.sessionId ?? "").map(({ event }) => event)).toContain("turn.ended");

    const gone = await rookery("uninstall");
    expect(gone).toMatchObject({ code: 0, stderr: "" });
    expect(readSettings()).toBeUndefined();
    const { stdout } = await world.cli(["plugin", "list", "--json"]);
    expect(JSON.parse(stdout)).toEqual([]);
    expect(existsSync(join(world.home, ".claude", "plugins", "cache", "rookery"))).toBe(false);
    expect(existsSync(world.rookery.home.database)).toBe(true);
    expect((await rookery("uninstall", "--data")).code).toBe(0);
    expect(existsSync(world.rookery.home.root)).toBe(false);
  });

  it("is not installed into a claude that only exists in node_modules", async () => {
    const path = `${dirname(claude)}:${world.env.PATH}`;
    const up = await runProcess(join(plugin, "bin", "rookery"), ["up", "--json"], "", {
      ...world.env,
      PATH: path,
    });
    expect(JSON.parse(up.stdout)).toMatchObject({ plugin: "no-claude", daemon: "started" });
    expect(readSettings()).toBeUndefined();
  });
});
