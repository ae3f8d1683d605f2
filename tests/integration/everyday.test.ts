import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { launcher } from "../support/person-elsewhere.ts";
import { makePayload, openRookery, type Rookery, runProcess } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";

const person = useOutside();
let rookery: Rookery;
beforeEach(() => {
  rookery = openRookery({ PATH: "/usr/bin:/bin" });
});
afterEach(() => rookery.close());

/** A user's folder on PATH. */
function addBin(name = "bin"): string {
  const bin = join(rookery.folder, name);
  mkdirSync(bin, { recursive: true });
  rookery.env.PATH = `${bin}:${rookery.env.PATH}`;
  return bin;
}

describe("`rookery` on PATH", () => {
  test("is linked by up into a folder of the user's, and removed by uninstall", async () => {
    const bin = addBin();
    const { stdout } = await rookery.cli("up");
    expect(stdout).toMatch(/^ {2}Command +rookery, linked in .*bin$/m);
    expect(stdout).toMatch(/^ {2}rookery open /m);
    expect(await runProcess("rookery", ["--version"], "", rookery.env)).toMatchObject({ code: 0 });
    await rookery.cli("up");
    const dry = await rookery.cli("uninstall", "--dry-run");
    expect(dry.stdout).toContain(`the command ${join(bin, "rookery")}`);
    await rookery.cli("uninstall");
    expect(existsSync(join(bin, "rookery"))).toBe(false);
    expect(lstatSync(join(bin, "rookery"), { throwIfNoEntry: false })).toBeUndefined();
  });

  test("of another program is left alone", async () => {
    const bin = addBin();
    symlinkSync("/bin/true", join(bin, "rookery"));
    await rookery.cli("up");
    await rookery.cli("uninstall");
    expect(readlinkSync(join(bin, "rookery"))).toBe("/bin/true");
  });

  test("is not linked outside of the user's home; up shows how to", async () => {
    const { stdout } = await rookery.cli("up");
    const command = /^ +(mkdir .* ln -s .*)$/m.exec(stdout)?.[1] ?? "";
    expect(await runProcess("sh", ["-ec", command], "", rookery.env)).toMatchObject({ code: 0 });
    expect(existsSync(join(rookery.folder, ".local", "bin", "rookery"))).toBe(true);
  });
});

test("a command that is newer than the installation says so, also within one version", async () => {
  await rookery.cli("up");
  const file = join(rookery.home.app, "current", "plugin", "dist", "build.json");
  const build = JSON.parse(readFileSync(file, "utf8"));
  chmodSync(file, 0o600);
  writeFileSync(file, JSON.stringify({ ...build, build: "older", builtAt: build.builtAt - 1 }));
  expect((await rookery.cli("agents")).stderr).toBe(
    `An older build of Rookery ${build.version} is installed. Upgrade: rookery up\n`,
  );
});

test("up says that Claude Code was not found", async () => {
  const { stdout, code } = await rookery.cli("up");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Rookery is up, but not in Claude Code: there is no `claude` on your PATH\.$/m);
});

describe("agents and rooms", () => {
  beforeEach(async () => {
    await rookery.start();
    const start = (session: string, hostPid: number) =>
      rookery.hook(
        "SessionStart",
        makePayload("SessionStart", { session_id: session, cwd: "/nowhere/api" }),
        { hostPid },
      );
    await start("s-1", process.pid);
    await start("s-2", process.ppid);
    await rookery.hook("SessionEnd", makePayload("SessionEnd", { session_id: "s-2", reason: "other" }), {
      hostPid: process.ppid,
    });
  });

  test("agents lists the live ones, and all with --all", async () => {
    await expect.poll(async () => (await rookery.cli("agents")).stdout).not.toContain("api-jay");
    const { stdout } = await rookery.cli("agents");
    expect(stdout).toContain("api-rook");
    expect(stdout).toContain("1 more: rookery agents --all");
    expect((await rookery.cli("agents", "--all")).stdout).toContain("api-jay");
    expect(JSON.parse((await rookery.cli("agents", "--json")).stdout)).toHaveLength(1);
  });

  test("rooms takes every name that it prints", async () => {
    const sent = await person.run([...launcher, "send", "--to", "api-rook", "Hello there."], rookery.env);
    expect(sent).toMatchObject({ code: 0 });
    const names = JSON.parse((await rookery.cli("rooms", "--json")).stdout).map(
      ({ name }: { name: string }) => name,
    );
    expect(names.length).toBeGreaterThan(1);
    const { stdout } = await rookery.cli("rooms");
    for (const name of names) {
      expect(stdout).toContain(name);
      expect(await rookery.cli("rooms", name), name).toMatchObject({ code: 0 });
    }
  });
});

test("an import shows how many files it has checked, also with --dry-run", async () => {
  // So many that the import is still running at several polls.
  const fileCount = 8_000;
  await rookery.start();
  const folder = join(rookery.folder, ".claude", "projects", "-nowhere-api");
  mkdirSync(folder, { recursive: true });
  const line = JSON.stringify({
    type: "user",
    cwd: "/nowhere/api",
    message: { role: "user", content: "hello" },
  });
  for (let n = 0; n < fileCount; n++) writeFileSync(join(folder, `s-${n}.jsonl`), `${line}\n`);
  const body = { source: "transcripts", path: join(rookery.folder, ".claude"), since: 0, dryRun: true };
  await rookery.call("POST", "/api/import", body);
  const seen: { files: number; filesDone: number }[] = [];
  for (;;) {
    const { json } = await rookery.call("GET", "/api/import");
    if (json.state !== "running") break;
    seen.push(json);
  }
  expect(seen.some(({ files, filesDone }) => files === fileCount && filesDone > 0 && filesDone < files)).toBe(
    true,
  );
  expect((await rookery.call("GET", "/api/import")).json).toMatchObject({
    state: "done",
    files: fileCount,
    filesDone: 0,
  });
});
