import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { redactText } from "../../redact/redact-text.ts";
import { type GitFolder, readGitFolder } from "./git-folder.ts";
import { readSmallFile } from "../../shared/regular-file.ts";

export interface Project {
  /** Identity: the git common directory, so that worktrees are one project; without git, the folder. */
  key: string;
  name: string;
}

interface Checkout {
  root: string;
  git: GitFolder | "unverified";
}

const maxHeadBytes = 4096;

/**
 * Reads files instead of running `git`: a hook may be waiting. A checkout whose `.git` names a repository that does not
 * point back is a project of its own: otherwise a downloaded folder could read the memory of any project.
 */
export function locateProject(cwd: string): Project {
  const start = realPath(cwd);
  const checkout = findCheckout(start);
  if (!checkout) return { key: start, name: basename(start) || "root" };
  const key = checkout.git === "unverified" ? checkout.root : checkout.git.commonDir;
  return { key, name: projectName(key) };
}

/** The root of the checkout or worktree that contains the folder. Undefined outside of git and for a deleted folder. */
export function locateCheckout(folder: string): string | undefined {
  return existsSync(folder) ? findCheckout(realPath(folder))?.root : undefined;
}

/** The path of a file relative to the root of its checkout: the same in every checkout of the project. */
export function relativeToCheckout(cwd: string, file: string): string {
  const absolute = resolve(cwd, file);
  const path = join(realPath(dirname(absolute)), basename(absolute));
  const root = findCheckout(dirname(path))?.root ?? realPath(cwd);
  return relative(root, path).split(sep).join("/");
}

/** The name of the current branch, or the first digits of the commit if HEAD is detached. Null outside of git. */
export function readBranch(cwd: string): string | null {
  const checkout = findCheckout(realPath(cwd));
  if (!checkout || checkout.git === "unverified") return null;
  const head = readSmallFile(join(checkout.git.gitDir, "HEAD"), maxHeadBytes)?.trim();
  if (head === undefined) return null; // A repository that is being created.
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  return branch === undefined ? head.slice(0, 12) : redactText(branch).text;
}

function findCheckout(start: string): Checkout | undefined {
  for (let root = start; ; root = dirname(root)) {
    const git = readGitFolder(root);
    if (git) return { root, git };
    if (dirname(root) === root) return undefined;
  }
}

/** The folder of a project's path, which may be its git directory. */
export function folderOf(projectPath: string): string {
  return basename(projectPath) === ".git" ? dirname(projectPath) : projectPath;
}

export function projectName(path: string): string {
  const folder = folderOf(path);
  return (folder === path ? basename(path).replace(/\.git$/, "") : basename(folder)) || "project";
}

export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path); // The folder was deleted; its name still identifies it.
  }
}
