import { AppError } from "../../shared/errors.ts";
import { readGitFolder } from "../identity/git-folder.ts";
import type { Git } from "../identity/git.ts";

/** The files that git tracks in a checkout, relative to its root, with `/`. Names may hold anything but a NUL. */
export async function listTracked(git: Git, root: string): Promise<Set<string>> {
  if (readGitFolder(root) === "unverified")
    throw new AppError(
      "invalid_argument",
      `${root}/.git names a repository that does not point back to it. If you moved this worktree, run: git worktree repair`,
    );
  const output = await git(root, ["ls-files", "-z"]);
  return new Set(output.split("\0").filter(Boolean));
}
