import { closeSync, readSync, statSync } from "node:fs";
import { type OpenFile, openRegularSync } from "../../shared/regular-file.ts";

interface Scan {
  found: boolean;
  /** Offset for the next scan: far enough back to find a needle that was cut by the end of the file. */
  nextOffset: number;
  /** When the file last grew. */
  grewAt: number;
  /** Whether the scan reached the end. */
  complete: boolean;
}

/** Enough for any turn, and fast enough while a hook waits; the rest is read next time. */
const maxBytes = 2 * 1024 * 1024;

/** Searches a transcript for a text, from an offset on. Undefined if there is no such file. */
export function scanTranscript(path: string, needle: string, offset: number): Scan | undefined {
  let file: OpenFile | undefined;
  try {
    file = openRegularSync(path);
  } catch {
    return undefined; // Not readable.
  }
  if (!file) return undefined; // Not written yet, or deleted: the caller decides what that means.
  const { fd, stats } = file;
  try {
    const start = Math.min(offset, stats.size);
    const buffer = Buffer.alloc(Math.min(stats.size - start, maxBytes));
    const read = readSync(fd, buffer, 0, buffer.length, start);
    const found = buffer.subarray(0, read).includes(needle);
    const end = start + read;
    return {
      found,
      nextOffset: Math.max(start, end - needle.length),
      grewAt: stats.mtimeMs,
      complete: end >= stats.size,
    };
  } finally {
    closeSync(fd);
  }
}

export function transcriptSize(path: string | null): number {
  if (path === null) return 0;
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() ? stats.size : 0; // A new session has no transcript yet.
  } catch {
    return 0; // Not readable, so nothing will be found in it either.
  }
}
