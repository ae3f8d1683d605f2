import { lstatSync, openSync, readdirSync, read as readCallback } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { openRegular } from "../../shared/regular-file.ts";

const readAt = promisify(readCallback);
const chunkBytes = 1024 * 1024;
/** Bytes that are searched again with the next chunk, to find a match across the boundary. */
const overlap = 4_096;

/**
 * Files that SQLite locks. They are never closed: the system drops a process's locks on a file as soon as the process
 * closes any handle on it.
 */
export type OpenDescriptors = Record<string, number>;

/**
 * Opens the existing files that are not held yet. Must run on the main thread: a worker's handles are closed when it
 * ends.
 */
export function keepOpen(held: OpenDescriptors, paths: readonly string[]): OpenDescriptors {
  for (const path of paths)
    if (held[path] === undefined && lstatSync(path, { throwIfNoEntry: false }))
      held[path] = openSync(path, "r");
  return held;
}

/** All distinct matches in a file of any kind: text, JSON, database pages. */
export async function findInFile(
  path: string,
  source: string,
  { held, maxBytes }: { held?: number | undefined; maxBytes?: number } = {},
): Promise<Set<string>> {
  if (held !== undefined) return findMatches((buffer, at) => readAt(held, buffer, 0, chunkBytes, at), source);
  const file = await openRegular(path, maxBytes).catch(() => undefined); // Deleted in the meantime.
  if (!file) return new Set();
  try {
    return await findMatches((buffer, at) => file.read(buffer, 0, chunkBytes, at), source);
  } finally {
    await file.close();
  }
}

type ReadChunk = (buffer: Buffer, at: number) => Promise<{ bytesRead: number }>;

async function findMatches(read: ReadChunk, source: string): Promise<Set<string>> {
  const pattern = new RegExp(source, "giu");
  const found = new Set<string>();
  const decoder = new TextDecoder();
  const buffer = Buffer.alloc(chunkBytes);
  let tail = "";
  for (let at = 0; ; ) {
    const { bytesRead } = await read(buffer, at);
    at += bytesRead;
    const text = tail + decoder.decode(buffer.subarray(0, bytesRead), { stream: bytesRead > 0 });
    for (const [match] of text.matchAll(pattern)) found.add(match.toLowerCase());
    if (bytesRead === 0) return found;
    tail = text.slice(-overlap);
  }
}

export interface FileSearch {
  root: string;
  source: string;
  held: OpenDescriptors;
  /** Files that are never opened: SQLite locks them, and they contain no text. */
  except: readonly string[];
}

/** The files under a folder that contain a match, relative to it. */
export async function findFilesWith({ root, source, held, except }: FileSearch): Promise<string[]> {
  const hits: string[] = [];
  for (const name of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    const path = join(root, name);
    if (except.includes(path) || name.endsWith("-shm")) continue;
    if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    if ((await findInFile(path, source, { held: held[path] })).size > 0) hits.push(relative(root, path));
  }
  return hits.toSorted();
}
