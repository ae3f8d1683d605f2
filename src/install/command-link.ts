import { accessSync, constants, lstatSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, join, relative, sep } from "node:path";
import { findCommand } from "./find-claude.ts";

interface LinkOptions {
  path: string | undefined;
  /** The user's home: only folders in it are ours to write to. */
  userHome: string;
  /** The installed copy, which the link points into. */
  app: string;
}

const name = "rookery";

/** Links the command into a folder on PATH, so that it can be typed. Undefined if there is one already, or no such folder. */
export function linkCommand({ path, userHome, app }: LinkOptions): string | undefined {
  if (process.platform === "win32" || findCommand(name, path)) return undefined;
  const folder = listFolders(path).find(
    (each) => isInside(userHome, each) && isWritable(each) && !belongsToNode(each),
  );
  if (folder === undefined) return undefined;
  const link = join(folder, name);
  // A dangling link of an earlier installation.
  if (isOurLink(link, app)) rmSync(link);
  if (lstatSync(link, { throwIfNoEntry: false })) return undefined;
  symlinkSync(join(app, "current", "plugin", "bin", name), link);
  return link;
}

/** The links on PATH that point into this installation. */
export function findCommandLinks({ path, app }: Pick<LinkOptions, "path" | "app">): string[] {
  return listFolders(path)
    .map((folder) => join(folder, name))
    .filter((link) => isOurLink(link, app));
}

function listFolders(path: string | undefined): string[] {
  const folders = (path ?? "").split(delimiter).filter(Boolean);
  return [...new Set(folders)].filter((folder) => !folder.includes(`${sep}node_modules${sep}.bin`));
}

function isInside(parent: string, folder: string): boolean {
  const way = relative(parent, folder);
  return way !== "" && !way.startsWith("..");
}

/** A version manager's folder is only on PATH while that version is in use. */
function belongsToNode(folder: string): boolean {
  return lstatSync(join(folder, "node"), { throwIfNoEntry: false }) !== undefined;
}

function isOurLink(link: string, app: string): boolean {
  if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return false;
  return readlinkSync(link).startsWith(join(app, sep));
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false; // It does not exist, or belongs to another user.
  }
}
