import { type BigIntStats, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { readSmallFile } from "../../shared/regular-file.ts";

export interface GitFolder {
  /** Contains HEAD and the index of this checkout. */
  gitDir: string;
  /** Shared by all worktrees of the repository. */
  commonDir: string;
}

const maxPointerBytes = 64 * 1024;
const maxConfigBytes = 1024 * 1024;

/**
 * The repository that a checkout belongs to. `root` is a real path. Undefined without a `.git`.
 *
 * A `.git` file may be part of a download and can name any folder, including someone else's repository. It counts
 * only if the named folder points back to this checkout or is inside it; otherwise the result is "unverified".
 */
export function readGitFolder(root: string): GitFolder | "unverified" | undefined {
  const dotGit = join(root, ".git");
  const stats = tryRead(() => lstatSync(dotGit, { throwIfNoEntry: false }));
  if (!stats) return undefined;
  // Identified by its own path, even if it is a link: nothing is shared with the target.
  if (tryRead(() => statSync(dotGit, { throwIfNoEntry: false }))?.isDirectory())
    return { gitDir: dotGit, commonDir: dotGit };
  if (!stats.isFile()) return "unverified";
  return followPointer(root, dotGit) ?? "unverified";
}

function followPointer(root: string, dotGit: string): GitFolder | undefined {
  const pointer = /^gitdir: (.+)$/m.exec(readSmallFile(dotGit, maxPointerBytes) ?? "")?.[1];
  const gitDir = pointer && resolveFolder(root, pointer.trim());
  if (!gitDir) return undefined;
  const common = readSmallFile(join(gitDir, "commondir"), maxPointerBytes);
  if (common === undefined)
    return isInside(root, gitDir) || isSubmoduleOf(root, gitDir) ? { gitDir, commonDir: gitDir } : undefined;
  const commonDir = resolveFolder(gitDir, common.trim());
  return commonDir && isWorktreeOf(root, gitDir, commonDir) ? { gitDir, commonDir } : undefined;
}

/** `git worktree add` makes `<common>/worktrees/NAME` with the path of the checkout's `.git` in its file `gitdir`. */
function isWorktreeOf(root: string, gitDir: string, commonDir: string): boolean {
  if (dirname(gitDir) !== join(commonDir, "worktrees")) return false;
  const back = readSmallFile(join(gitDir, "gitdir"), maxPointerBytes)?.trim();
  return (
    back !== undefined && basename(back) === ".git" && isSameFolder(resolve(gitDir, dirname(back)), root)
  );
}

/** A submodule's git folder names its checkout as `core.worktree`. */
function isSubmoduleOf(root: string, gitDir: string): boolean {
  return ["config.worktree", "config"].some((name) => {
    const worktree = readCoreWorktree(readSmallFile(join(gitDir, name), maxConfigBytes) ?? "");
    return worktree !== undefined && isSameFolder(resolve(gitDir, worktree), root);
  });
}

function readCoreWorktree(config: string): string | undefined {
  let section = "";
  for (const line of config.split("\n")) {
    section = /^\s*\[([^\]]*)\]/.exec(line)?.[1]?.toLowerCase() ?? section;
    const value = section === "core" ? /^\s*worktree\s*=(.*)$/i.exec(line)?.[1]?.trim() : undefined;
    if (value !== undefined) return value.replaceAll(/"|\\(.)/g, "$1");
  }
  return undefined;
}

function isInside(root: string, folder: string): boolean {
  const path = relative(root, folder);
  return path !== "" && !isAbsolute(path) && path.split(sep)[0] !== "..";
}

/** Compares by inode rather than by name: a path may be spelled in several ways. */
function isSameFolder(one: string, other: string): boolean {
  const [a, b] = [statFolder(one), statFolder(other)];
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

function statFolder(path: string): BigIntStats | undefined {
  const stats = tryRead(() => statSync(path, { bigint: true }));
  return stats?.isDirectory() ? stats : undefined;
}

function resolveFolder(base: string, path: string): string | undefined {
  return tryRead(() => realpathSync(resolve(base, path)));
}

function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined; // Missing, not readable, or not a valid path.
  }
}
