import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

export interface Project {
  /** Identity: the git common directory, so that worktrees are one project; without git, the folder. */
  key: string;
  name: string;
}

/** Looks at files only: a hook may be waiting, and starting `git` would cost milliseconds. */
export function locateProject(cwd: string): Project {
  const start = realPath(cwd);
  for (let folder = start; ; folder = dirname(folder)) {
    const commonDir = gitCommonDir(join(folder, ".git"));
    if (commonDir) return { key: commonDir, name: projectName(commonDir) };
    if (dirname(folder) === folder) return { key: start, name: basename(start) || "root" };
  }
}

/** The folder that holds `.git`: of the main checkout, or of the worktree that this lies in. Undefined for a folder that is gone. */
export function locateCheckout(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  for (let at = realPath(folder); ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** A file as every checkout of its project names it: from the root of the checkout that it is in. */
export function nameInProject(cwd: string, file: string): string {
  const whole = resolve(cwd, file);
  const path = join(realPath(dirname(whole)), basename(whole));
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (gitDirOf(join(folder, ".git"))) return relative(folder, path).split(sep).join("/");
    if (dirname(folder) === folder) return relative(realPath(cwd), path).split(sep).join("/");
  }
}

/** The branch that is checked out, by name; a detached head by its first digits. Null outside of git. */
export function readBranch(cwd: string): string | null {
  for (let folder = realPath(cwd); ; folder = dirname(folder)) {
    const gitDir = gitDirOf(join(folder, ".git"));
    if (gitDir) return readHead(gitDir);
    if (dirname(folder) === folder) return null;
  }
}

function readHead(gitDir: string): string | null {
  try {
    const head = readFileSync(join(gitDir, "HEAD"), "utf8").trim();
    return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? head.slice(0, 12);
  } catch {
    return null; // A repository in the making.
  }
}

/** `.git` is a folder in the main checkout and a file pointing into it in a worktree or submodule. */
function gitDirOf(dotGit: string): string | undefined {
  try {
    if (statSync(dotGit).isDirectory()) return dotGit;
    const pointer = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, "utf8"))?.[1];
    return pointer && resolve(dirname(dotGit), pointer.trim());
  } catch {
    return undefined; // No .git here: look further up.
  }
}

function gitCommonDir(dotGit: string): string | undefined {
  const gitDir = gitDirOf(dotGit);
  if (gitDir === undefined || gitDir === dotGit) return gitDir;
  try {
    return realPath(resolve(gitDir, readFileSync(join(gitDir, "commondir"), "utf8").trim()));
  } catch {
    return realPath(gitDir); // A submodule has no commondir: it is a project of its own.
  }
}

function projectName(commonDir: string): string {
  const name = basename(commonDir);
  return (name === ".git" ? basename(dirname(commonDir)) : name.replace(/\.git$/, "")) || "project";
}

export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path); // The folder is gone; its name still identifies it.
  }
}
