import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseDaemonBuild, locateStaged } from "../shared/staged.ts";
import type { Build } from "../shared/build.ts";
import { hashPlugin } from "./hash-plugin.ts";
import { type Package, stagePlugin } from "./stage.ts";

const hooks = fileURLToPath(new URL("../../plugin/hooks/", import.meta.url));

let folder: string;
let app: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rk-stage-"));
  app = join(folder, "home", "app");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A minimal package. Different content makes a different build. */
function makePackage(version: string, builtAt: number, code = version): Package {
  const pluginRoot = join(folder, `${version}-${builtAt}-${code}`, "plugin");
  cpSync(hooks, join(pluginRoot, "hooks"), { recursive: true });
  mkdirSync(join(pluginRoot, "dist"));
  mkdirSync(join(pluginRoot, "..", ".claude-plugin"));
  writeFileSync(join(pluginRoot, "..", ".claude-plugin", "marketplace.json"), "{}");
  writeFileSync(join(pluginRoot, "dist", "daemon.js"), code);
  const build: Build = { version, build: hashPlugin(pluginRoot), builtAt };
  writeFileSync(join(pluginRoot, "dist", "build.json"), JSON.stringify(build));
  return { pluginRoot, build };
}
const current = (): string => readFileSync(join(locateStaged(app), "dist", "daemon.js"), "utf8");

describe("the copy that sessions run", () => {
  it("is private, has a stable path, and exists once", () => {
    const one = makePackage("1.0.0", 1);
    expect(stagePlugin(app, one)).toBe("staged");
    expect(stagePlugin(app, one)).toBe("present");
    expect(stagePlugin(app, { ...one, pluginRoot: locateStaged(app) })).toBe("present");
    rmSync(one.pluginRoot, { recursive: true });
    expect(current()).toBe("1.0.0");
    expect(existsSync(join(app, "current", ".claude-plugin", "marketplace.json"))).toBe(true);
    expect(statSync(join(locateStaged(app), "hooks", "hook.sh")).mode & 0o077).toBe(0);
    expect(statSync(app).mode & 0o077).toBe(0);
  });

  it("can be executed even if the package has lost its file modes", () => {
    const one = makePackage("1.0.0", 1);
    for (const folder of ["bin", "mcp", "monitors"])
      cpSync(join(hooks, "..", folder), join(one.pluginRoot, folder), { recursive: true });
    const scripts = ["hooks/hook.sh", "mcp/greet.sh", "monitors/wake.sh", "bin/rookery"];
    for (const script of scripts) chmodSync(join(one.pluginRoot, script), 0o644);
    stagePlugin(app, { ...one, build: { ...one.build, build: hashPlugin(one.pluginRoot) } });
    for (const script of scripts) expect(statSync(join(locateStaged(app), script)).mode & 0o777).toBe(0o700);
    expect(statSync(join(locateStaged(app), "hooks", "hooks.json")).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["a newer version", makeArgs("1.0.10", 0)],
    ["a newer build of the same version", makeArgs("1.0.9", 3, "fixed")],
  ])("becomes %s in one step; the previous one stays, older ones are removed", (_name, next) => {
    const builds = [makePackage("1.0.8", 1), makePackage("1.0.9", 2), makePackage(...next)];
    for (const each of builds) expect(stagePlugin(app, each)).toBe("staged");
    expect(current()).toBe(next[2]);
    const names = builds.slice(1).map(({ build }) => `${build.version}-${build.build}`);
    expect(readdirSync(app).toSorted()).toEqual([...names, "current"].toSorted());
    expect(realpathSync(join(app, "current"))).toBe(realpathSync(join(app, names[1] ?? "")));
  });

  it("is never replaced by an older one", () => {
    stagePlugin(app, makePackage("1.0.9", 5));
    for (const older of [makePackage("1.0.8", 9), makePackage("1.0.9", 4, "older")]) {
      expect(stagePlugin(app, older)).toBe("newer");
      expect(current()).toBe("1.0.9");
    }
  });

  it("is never incomplete", () => {
    stagePlugin(app, makePackage("1.0.0", 1));
    const half = makePackage("1.0.1", 2);
    rmSync(join(half.pluginRoot, "hooks", "wait.sh"));
    expect(() => stagePlugin(app, half)).toThrow(expect.objectContaining({ code: "package_damaged" }));
    expect(current()).toBe("1.0.0");
    expect(readdirSync(app)).toHaveLength(2);
  });
});

describe("the daemon that is started", () => {
  const own = (version: string): Parameters<typeof chooseDaemonBuild>[1] => ({
    daemonScript: "/own/daemon.js",
    build: { version, build: version, builtAt: 1 },
  });

  it("is our own if there is no copy, or if we are newer", () => {
    expect(chooseDaemonBuild(app, own("1.0.0")).daemonScript).toBe("/own/daemon.js");
    stagePlugin(app, makePackage("1.0.0", 1));
    expect(chooseDaemonBuild(app, own("1.0.1")).daemonScript).toBe("/own/daemon.js");
  });

  it.each(["0.9.0", "1.0.0"])("is the installed one for a client of version %s", (version) => {
    const { build } = makePackage("1.0.0", 1);
    stagePlugin(app, { build, pluginRoot: join(folder, "1.0.0-1-1.0.0", "plugin") });
    expect(chooseDaemonBuild(app, own(version))).toEqual({
      daemonScript: join(locateStaged(app), "dist", "daemon.js"),
      build,
    });
  });
});

function makeArgs(version: string, builtAt: number, code = version): [string, number, string] {
  return [version, builtAt, code];
}
