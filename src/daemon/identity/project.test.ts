import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { locateProject, readBranch } from "./project.ts";

let top: string;
let victim: string;
let evil: string;

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "rookery-project-")));
  victim = makeRepository("victim");
  evil = join(top, "evil");
  mkdirSync(join(evil, "src"), { recursive: true });
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function git(folder: string, ...args: string[]): void {
  const identity = ["-c", "user.name=T", "-c", "user.email=t@t", "-c", "protocol.file.allow=always"];
  execFileSync("git", ["-C", folder, ...identity, ...args], {
    env: { PATH: process.env["PATH"], HOME: top, GIT_CONFIG_NOSYSTEM: "1" },
    stdio: "ignore",
  });
}

function makeRepository(name: string): string {
  const folder = join(top, name);
  mkdirSync(folder);
  git(folder, "init", "-q", "-b", "main");
  git(folder, "commit", "-q", "--allow-empty", "-m", "first");
  return folder;
}

const keyOf = (folder: string): string => locateProject(folder).key;

describe("a checkout that git made belongs to its repository:", () => {
  test("a worktree, and a folder of it", () => {
    const tree = join(top, "hotfix");
    git(victim, "worktree", "add", "-q", tree);
    mkdirSync(join(tree, "src"));
    expect(keyOf(join(tree, "src"))).toBe(join(victim, ".git"));
    expect(readBranch(tree)).toBe("hotfix");
  });

  test("a worktree with relative paths", () => {
    const tree = join(top, "hotfix");
    git(victim, "worktree", "add", "-q", tree);
    writeFileSync(join(tree, ".git"), "gitdir: ../victim/.git/worktrees/hotfix\n");
    writeFileSync(join(victim, ".git/worktrees/hotfix/gitdir"), "../../../../hotfix/.git\n");
    expect(keyOf(tree)).toBe(join(victim, ".git"));
  });

  test("a worktree that is reached through a link", () => {
    const tree = join(top, "hotfix");
    git(victim, "worktree", "add", "-q", tree);
    symlinkSync(top, join(top, "link"));
    expect(keyOf(join(top, "link", "hotfix"))).toBe(join(victim, ".git"));
  });

  test("a moved worktree, once git has repaired it", () => {
    git(victim, "worktree", "add", "-q", join(top, "hotfix"));
    const moved = join(top, "moved");
    renameSync(join(top, "hotfix"), moved);
    expect(keyOf(moved)).toBe(moved);
    git(moved, "worktree", "repair");
    expect(keyOf(moved)).toBe(join(victim, ".git"));
  });

  test("a submodule, and a worktree of it", () => {
    const outer = makeRepository("outer");
    git(outer, "submodule", "add", "-q", victim, "libs/it's a lib");
    const submodule = join(outer, "libs/it's a lib");
    const key = join(outer, ".git/modules/libs/it's a lib");
    expect(locateProject(submodule)).toEqual({ key, name: "it's a lib" });
    git(submodule, "worktree", "add", "-q", join(top, "lib-hotfix"));
    expect(keyOf(join(top, "lib-hotfix"))).toBe(key);
  });

  test("a bare repository inside a folder, and its worktrees", () => {
    const folder = join(top, "bare-layout");
    mkdirSync(folder);
    git(top, "clone", "-q", "--bare", victim, join(folder, ".bare"));
    writeFileSync(join(folder, ".git"), "gitdir: ./.bare\n");
    git(folder, "worktree", "add", "-q", "feature");
    expect(keyOf(folder)).toBe(join(folder, ".bare"));
    expect(keyOf(join(folder, "feature"))).toBe(join(folder, ".bare"));
  });
});

describe("a folder that only claims to belong to a repository is its own project:", () => {
  const expectOwn = (): void => {
    expect(locateProject(join(evil, "src"))).toEqual({ key: evil, name: "evil" });
    expect(readBranch(evil)).toBeNull();
  };

  test("a .git file that points at the repository", () => {
    writeFileSync(join(evil, ".git"), `gitdir: ${join(victim, ".git")}\n`);
    expectOwn();
  });

  test("a .git file that points at another folder's worktree", () => {
    git(victim, "worktree", "add", "-q", join(top, "hotfix"));
    writeFileSync(join(evil, ".git"), `gitdir: ${join(victim, ".git/worktrees/hotfix")}\n`);
    expectOwn();
  });

  test("a copy of a worktree", () => {
    git(victim, "worktree", "add", "-q", join(top, "hotfix"));
    cpSync(join(top, "hotfix"), evil, { recursive: true });
    expectOwn();
  });

  test("a .git file that is a link to a worktree's", () => {
    git(victim, "worktree", "add", "-q", join(top, "hotfix"));
    symlinkSync(join(top, "hotfix/.git"), join(evil, ".git"));
    expectOwn();
  });

  test("a .git file that points at another folder's submodule", () => {
    const outer = makeRepository("outer");
    git(outer, "submodule", "add", "-q", victim, "lib");
    writeFileSync(join(evil, ".git"), `gitdir: ${join(outer, ".git/modules/lib")}\n`);
    expectOwn();
  });

  test("a worktree folder of its own whose commondir leads to the repository", () => {
    const own = join(evil, "fake/worktrees/x");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "gitdir"), `${join(evil, ".git")}\n`);
    writeFileSync(join(own, "commondir"), `${join(victim, ".git")}\n`);
    writeFileSync(join(own, "HEAD"), readFileSync(join(victim, ".git/HEAD")));
    writeFileSync(join(evil, ".git"), "gitdir: fake/worktrees/x\n");
    expectOwn();
  });

  test("a worktree folder that is a link into the repository", () => {
    git(victim, "worktree", "add", "-q", join(top, "hotfix"));
    mkdirSync(join(evil, "fake/worktrees"), { recursive: true });
    symlinkSync(join(victim, ".git/worktrees/hotfix"), join(evil, "fake/worktrees/x"));
    writeFileSync(join(evil, ".git"), "gitdir: fake/worktrees/x\n");
    expectOwn();
  });

  test("a link inside the folder to the repository", () => {
    symlinkSync(join(victim, ".git"), join(evil, "inside"));
    writeFileSync(join(evil, ".git"), "gitdir: inside\n");
    expectOwn();
  });

  test.each([
    ["nothing", ""],
    ["text", "hello\n"],
    ["an impossible path", "gitdir: a\0b\n"],
    ["a missing folder", "gitdir: /nowhere/.git/worktrees/x\n"],
  ])("a .git file that holds %s", (_what, text) => {
    writeFileSync(join(evil, ".git"), text);
    expectOwn();
  });

  test("a .git folder whose commondir leads to the repository", () => {
    mkdirSync(join(evil, ".git"));
    writeFileSync(join(evil, ".git/commondir"), `${join(victim, ".git")}\n`);
    expect(keyOf(evil)).toBe(join(evil, ".git"));
  });

  test("a .git that is a FIFO, and one in a .git folder", () => {
    execFileSync("mkfifo", [join(evil, ".git")]);
    expectOwn();
    mkdirSync(join(evil, "src/.git"));
    execFileSync("mkfifo", [join(evil, "src/.git/HEAD")]);
    expect(readBranch(join(evil, "src"))).toBeNull();
  });

  test("a .git that is a link to the repository's", () => {
    symlinkSync(join(victim, ".git"), join(evil, ".git"));
    expect(keyOf(evil)).toBe(join(evil, ".git"));
  });
});
