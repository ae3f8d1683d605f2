import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

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

/** `.git` is a folder in the main checkout and a file pointing into it in a worktree or submodule. */
function gitCommonDir(dotGit: string): string | undefined {
  try {
    if (statSync(dotGit).isDirectory()) return dotGit;
    const pointer = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, "utf8"))?.[1];
    if (!pointer) return undefined;
    const gitDir = resolve(dirname(dotGit), pointer.trim());
    try {
      return realPath(resolve(gitDir, readFileSync(join(gitDir, "commondir"), "utf8").trim()));
    } catch {
      return realPath(gitDir); // A submodule has no commondir: it is a project of its own.
    }
  } catch {
    return undefined; // No .git here: look further up.
  }
}

function projectName(commonDir: string): string {
  const name = basename(commonDir);
  return (name === ".git" ? basename(dirname(commonDir)) : name.replace(/\.git$/, "")) || "project";
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path); // The folder is gone; its name still identifies it.
  }
}
