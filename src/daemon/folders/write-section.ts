import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isReadable, putSection, removeSection } from "../../domain/memory/folder-section.ts";
import type { FolderChange } from "../../protocol/care.ts";

type WriteResult = Pick<FolderChange, "did" | "reason"> | { did: "unchanged" };

/** A larger file is left alone: it is not written for an agent. */
const maxBytes = 1_000_000;
const newMode = 0o644;

/**
 * Writes a section into the `CLAUDE.md` of a folder, or (no lines) removes it. Only touches regular, readable files of
 * the user. The file is replaced atomically, and all other text is kept byte for byte.
 */
export function writeSection(
  root: string,
  folder: string,
  lines: readonly string[] | undefined,
  dryRun: boolean,
): WriteResult {
  const problem = findLink(root, folder);
  if (problem) return lines ? { did: "left alone", reason: problem } : { did: "unchanged" };
  const path = join(root, folder, "CLAUDE.md");
  try {
    const before = lstatSync(path, { throwIfNoEntry: false });
    const refusal = before && refuse(before);
    const text = before && !refusal ? readFileSync(path).toString("latin1") : undefined;
    if (text !== undefined && !text.includes("<rookery-context") && !lines) return { did: "unchanged" };
    if (!before && !lines) return { did: "unchanged" };
    if (refusal) return { did: "left alone", reason: refusal };
    if (text?.includes("\0")) return { did: "left alone", reason: "not text" };
    if (text !== undefined && !isReadable(text))
      return { did: "left alone", reason: "a section in it is damaged: fix or delete it by hand" };
    return replace(path, before, text, lines, dryRun);
  } catch (error) {
    return { did: "left alone", reason: (error as NodeJS.ErrnoException).code ?? (error as Error).message };
  }
}

/** Finds a part of the path that is missing, not a folder, or a link to somewhere else. */
function findLink(root: string, folder: string): string | undefined {
  let at = root;
  for (const part of folder.split("/")) {
    at = join(at, part);
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (!stats) return "the folder does not exist";
    if (stats.isSymbolicLink()) return "the folder is a link";
    if (!stats.isDirectory()) return "not a folder";
  }
  return undefined;
}

function refuse(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return "the file is a link";
  if (!stats.isFile()) return "not a file";
  if (stats.nlink > 1) return "the file has several names";
  if ((stats.mode & 0o200) === 0) return "read-only";
  return stats.size > maxBytes ? "too large" : undefined;
}

function replace(
  path: string,
  before: Stats | undefined,
  text: string | undefined,
  lines: readonly string[] | undefined,
  dryRun: boolean,
): WriteResult {
  if (lines) {
    // latin1, as the text of the file: one character per byte.
    const bytes = lines.map((line) => Buffer.from(line, "utf8").toString("latin1"));
    const next = putSection(text, bytes);
    if (next === text) return { did: "unchanged" };
    if (!dryRun) writeAtomically(path, next, before);
    return { did: text === undefined ? "created" : "updated" };
  }
  const { text: rest, isOurs, had } = removeSection(text ?? "");
  if (!had) return { did: "unchanged" };
  if (!dryRun && isOurs) rmSync(path);
  else if (!dryRun) writeAtomically(path, rest, before);
  return { did: isOurs ? "deleted" : "stripped" };
}

function writeAtomically(path: string, text: string, before: Stats | undefined): void {
  const temporary = join(dirname(path), `.CLAUDE.md.rookery-${process.pid}`);
  const fd = openSync(temporary, "wx", before ? before.mode & 0o777 : newMode);
  try {
    writeSync(fd, Buffer.from(text, "latin1"));
    fsyncSync(fd);
    closeSync(fd);
    chmodSync(temporary, before ? before.mode & 0o7777 : newMode); // The daemon's umask is private; this file is not.
    const now = lstatSync(path, { throwIfNoEntry: false });
    if (now?.ino !== before?.ino || now?.mtimeMs !== before?.mtimeMs || now?.size !== before?.size)
      throw new Error("it changed in the meantime; the next sync retries");
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
