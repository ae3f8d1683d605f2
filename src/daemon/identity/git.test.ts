import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openGit } from "./git.ts";

let top: string;
let root: string;
let proof: string;
let script: string;
const inherited = process.env;
const run = (args: string[], environment: Record<string, string | undefined> = {}): Promise<string> =>
  openGit({ PATH: inherited["PATH"], HOME: top, ...environment })(root, args);

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "rookery-git-")));
  root = join(top, "checkout");
  proof = join(top, "proof");
  script = join(top, "run.sh");
  writeFileSync(script, `#!/bin/sh\ntouch '${proof}'\n`);
  chmodSync(script, 0o755);
  mkdirSync(root);
  git("init", "-q");
  writeFileSync(join(root, "a.txt"), "one\n");
  git("add", ".");
  git("commit", "-qm", "first");
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function git(...args: string[]): string {
  return execFileSync("git", ["-C", root, "-c", "user.name=T", "-c", "user.email=t@t", ...args], {
    env: { PATH: inherited["PATH"], HOME: top },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** Verifies that the setting is dangerous: a plain git runs the program. */
function expectDangerous(...args: string[]): void {
  git(...args);
  expect(existsSync(proof)).toBe(true);
  rmSync(proof);
}

test("a repository's own file system monitor is not run", async () => {
  git("config", "core.fsmonitor", script);
  expectDangerous("ls-files");
  expect(await run(["ls-files", "-z"])).toBe("a.txt\0");
  expect(existsSync(proof)).toBe(false);
});

test("settings that the repository's config includes are not run", async () => {
  writeFileSync(join(root, "hostile.config"), `[core]\n\tfsmonitor = ${script}\n`);
  git("config", "include.path", join(root, "hostile.config"));
  expectDangerous("ls-files");
  expect(await run(["ls-files", "-z"])).toBe("a.txt\0");
  expect(existsSync(proof)).toBe(false);
});

test("hooks of a repository are not run", async () => {
  const hook = join(root, ".git/hooks/post-index-change");
  mkdirSync(join(root, ".git/hooks"), { recursive: true });
  writeFileSync(hook, `#!/bin/sh\ntouch '${proof}'\n`);
  chmodSync(hook, 0o755);
  expectDangerous("update-index", "--force-write-index");
  await run(["update-index", "--force-write-index"]);
  expect(existsSync(proof)).toBe(false);
});

test("missing objects are not fetched: the transport could be any program", async () => {
  git("config", "remote.origin.url", "ssh://nowhere.invalid/x");
  git("config", "core.sshCommand", script);
  git("config", "remote.origin.promisor", "true");
  git("config", "extensions.partialClone", "origin");
  git("config", "core.repositoryFormatVersion", "1");
  const missing = "1".repeat(40);
  expect(() => git("cat-file", "-p", missing)).toThrow();
  expect(existsSync(proof)).toBe(true);
  rmSync(proof);
  await expect(run(["cat-file", "-p", missing])).rejects.toThrow();
  expect(existsSync(proof)).toBe(false);
});

test("git variables in the daemon's environment have no effect", async () => {
  mkdirSync(join(top, "other"));
  execFileSync("git", ["init", "-q", join(top, "other")], { env: { PATH: inherited["PATH"], HOME: top } });
  const hostile = {
    GIT_DIR: join(top, "other/.git"),
    GIT_INDEX_FILE: join(top, "none"),
    GIT_EXTERNAL_DIFF: script,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: script,
  };
  expect(await run(["ls-files", "-z"], hostile)).toBe("a.txt\0");
  expect(existsSync(proof)).toBe(false);
});

test("a folder with a broken repository does not count as part of its parent's", async () => {
  const inner = join(root, "inner");
  mkdirSync(join(inner, ".git"), { recursive: true });
  writeFileSync(join(inner, "b.txt"), "");
  git("add", "-f", "inner/b.txt");
  await expect(openGit({ PATH: inherited["PATH"], HOME: top })(inner, ["ls-files", "-z"])).rejects.toThrow(
    "not a git repository",
  );
});
