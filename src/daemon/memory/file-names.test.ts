import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeFileNames } from "./file-names.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "rookery-names-")));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const main = join(top, "api");
const tree = join(top, "api-hotfix");
const link = join(top, "link");
const git = join(main, ".git");
mkdirSync(join(main, "packages", "web", "src"), { recursive: true });
mkdirSync(join(git, "worktrees", "api-hotfix"), { recursive: true });
mkdirSync(join(tree, "packages"), { recursive: true });
writeFileSync(join(git, "worktrees", "api-hotfix", "commondir"), "../..\n");
writeFileSync(join(git, "worktrees", "api-hotfix", "gitdir"), `${join(tree, ".git")}\n`);
writeFileSync(join(tree, ".git"), `gitdir: ${join(git, "worktrees", "api-hotfix")}\n`);
symlinkSync(main, link);

describe("a file has the same name", () => {
  test.each([
    ["from the root", main, join(main, "packages/web/src/a.ts")],
    ["from a folder below", join(main, "packages/web"), join(main, "packages/web/src/a.ts")],
    ["by a relative path", join(main, "packages/web"), "src/a.ts"],
    ["by a path with ..", join(main, "packages/web/src"), "../src/a.ts"],
    ["in a worktree", tree, join(tree, "packages/web/src/a.ts")],
    ["in a folder of a worktree", join(tree, "packages"), "web/src/a.ts"],
    ["through a link", join(link, "packages"), join(link, "packages/web/src/a.ts")],
    ["without a known folder of the session", null, join(main, "packages/web/src/a.ts")],
  ])("%s", (_how, cwd, file) => {
    expect(makeFileNames(git, cwd).nameOf(file)).toBe("packages/web/src/a.ts");
  });
});

test("a file outside the project keeps its full path", () => {
  expect(makeFileNames(git, join(main, "packages")).nameOf(join(top, "other", "b.ts"))).toBe(
    join(top, "other", "b.ts"),
  );
});

test("a deleted folder counts as the root", () => {
  const gone = join(top, "gone");
  expect(makeFileNames(gone, gone).nameOf(join(gone, "src", "a.ts"))).toBe("src/a.ts");
});

test.each([
  ["the main checkout", main, null],
  ["a folder of it", join(main, "packages"), null],
  ["a worktree", tree, "api-hotfix"],
  ["a folder of a worktree", join(tree, "packages"), "api-hotfix"],
])("%s: the worktree is named unless it is the main one", (_which, cwd, name) => {
  expect(makeFileNames(git, cwd).worktree).toBe(name);
});
