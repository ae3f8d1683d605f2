// Commits the built plugin to the branch `release`, which Claude Code can install from its git address: main has no build. Leaves the
// working tree and the index alone. `node scripts/release-branch.ts`, after `npm run build`.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const files = [".claude-plugin", "plugin", "LICENSE", "README.md"];

/** Returns the new commit. Keeps the branch's history, so that clones of it can be updated. */
export function commitRelease(repository: string): string {
  const folder = mkdtempSync(join(tmpdir(), "rookery-release-"));
  const env = { ...process.env, GIT_INDEX_FILE: join(folder, "index") };
  const git = (...args: string[]): string =>
    execFileSync("git", args, {
      cwd: repository,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim();
  try {
    const { version } = JSON.parse(readFileSync(join(repository, "plugin", "dist", "build.json"), "utf8"));
    git("read-tree", "--empty");
    git("add", "--force", "--", ...files);
    const before = git("for-each-ref", "--format=%(objectname)", "refs/heads/release");
    const parents = before ? ["-p", before] : [];
    const commit = git("commit-tree", git("write-tree"), ...parents, "-m", `release: ${version}`);
    git("update-ref", "refs/heads/release", commit);
    return commit;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) console.log(commitRelease(process.cwd()));
