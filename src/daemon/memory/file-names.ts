import { basename, isAbsolute, relative, resolve, sep } from "node:path";
import { folderOf, locateCheckout, realPath } from "../identity/project.ts";

/** Names of a session's files in its project, independent of the folder or worktree it runs in. */
export interface FileNames {
  /** Relative to the root of the checkout; a file outside keeps its full path. */
  nameOf(file: string): string;
  /** The name of the checkout, unless it is the project's main one. */
  worktree: string | null;
}

/** `cwd` is the session's folder, which may have been deleted. */
export function makeFileNames(projectPath: string, cwd: string | null): FileNames {
  const main = folderOf(projectPath);
  const here = cwd ?? main;
  const checkout = locateCheckout(here);
  const root = checkout ?? here;
  // Sessions may name files through a link; the root is a real path.
  const reallyHere = checkout === undefined ? here : realPath(here);
  return {
    nameOf(file) {
      const fromHere = relative(here, resolve(here, file));
      const name = relative(root, resolve(reallyHere, fromHere));
      return leadsOut(name) ? resolve(here, file) : name.split(sep).join("/");
    },
    worktree: leadsOut(relative(main, root)) ? basename(root) : null,
  };
}

function leadsOut(way: string): boolean {
  return isAbsolute(way) || way === ".." || way.startsWith(`..${sep}`);
}
