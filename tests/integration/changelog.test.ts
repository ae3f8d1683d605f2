import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { formatChanges, listSubjects } from "../../scripts/changelog.ts";

test("the changelog of a version lists the commits since the tag before it, by area", () => {
  const folder = mkdtempSync(join(tmpdir(), "rk-changes-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (...args: string[]): void => {
    const identity = ["-c", "user.name=Sample", "-c", "user.email=sample@example.invalid"];
    execFileSync("git", [...identity, ...args], { cwd: folder, stdio: "ignore" });
  };
  const commit = (subject: string): void => git("commit", "--allow-empty", "--message", subject);
  git("init");
  commit("hooks: one fork");
  git("tag", "v0.1.0");
  commit("search: rank notes first");
  commit("tests: wait for the bell");
  commit("cli: snippets");
  commit("search: phrases");
  git("tag", "v0.2.0");
  expect(formatChanges("0.2.0", listSubjects(folder))).toBe(
    "## 0.2.0\n\n- **search**: phrases; rank notes first.\n- **cli**: snippets.",
  );
  expect(formatChanges("0.3.0", [])).toContain("No changes.");
});
