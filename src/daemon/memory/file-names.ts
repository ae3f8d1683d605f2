import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { locateCheckout, realPath } from "../identity/project.ts";

/** How the files of a session are called in its project, whichever folder or worktree it stands in. */
export interface FileNames {
  /** From the root of the checkout; one outside of it keeps its whole path. */
  nameOf(file: string): string;
  /** The name of the checkout, where it is not the project's main one. */
  worktree: string | null;
}

/** `cwd` is where the session stands, and need not be there any more. */
export function makeFileNames(projectPath: string, cwd: string | null): FileNames {
  const main = mainCheckout(projectPath);
  const here = cwd ?? main;
  const checkout = locateCheckout(here);
  const root = checkout ?? here;
  // Files are named as the session sees them, perhaps through a link; the root is where they really are.
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

/** Where the project's own checkout is: it is known by its git directory. */
function mainCheckout(projectPath: string): string {
  return basename(projectPath) === ".git" ? dirname(projectPath) : projectPath;
}

function leadsOut(way: string): boolean {
  return isAbsolute(way) || way === ".." || way.startsWith(`..${sep}`);
}
