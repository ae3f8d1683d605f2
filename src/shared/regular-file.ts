import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/**
 * Paths in payloads and in checkouts may point to anything. Opening a FIFO waits for a writer and reading a device may
 * never end, so only regular files are read. The type is checked before opening, because opening a device can have
 * effects, and again on the open file, because the path may have changed; O_NONBLOCK (undefined on Windows, which ORs
 * as 0) keeps that open from waiting.
 */
const flags = constants.O_RDONLY | constants.O_NONBLOCK;

export interface OpenFile {
  fd: number;
  stats: Stats;
}

/** Undefined if the path is missing or is not a regular file of at most `maxBytes`. */
export function openRegularSync(path: string, maxBytes = Number.POSITIVE_INFINITY): OpenFile | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  const fd = openSync(path, flags);
  const stats = fstatSync(fd);
  if (stats.isFile() && stats.size <= maxBytes) return { fd, stats };
  closeSync(fd);
  return undefined;
}

/** Like `openRegularSync`, for reading in steps. */
export async function openRegular(
  path: string,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<FileHandle | undefined> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  const file = await open(path, flags);
  const stats = await file.stat();
  if (stats.isFile() && stats.size <= maxBytes) return file;
  await file.close();
  return undefined;
}

/** The text of a small file. Undefined if there is none, or if it cannot be read. */
export function readSmallFile(path: string, maxBytes: number): string | undefined {
  try {
    const file = openRegularSync(path, maxBytes);
    if (!file) return undefined;
    try {
      const buffer = Buffer.alloc(file.stats.size);
      return buffer.toString("utf8", 0, readSync(file.fd, buffer, 0, buffer.length, 0));
    } finally {
      closeSync(file.fd);
    }
  } catch {
    return undefined; // Not readable by us, or replaced while it was read.
  }
}

/** In bytes; 0 if there is no file. */
export function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
