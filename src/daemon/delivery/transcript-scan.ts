import { closeSync, fstatSync, openSync, readSync } from "node:fs";

export interface Scan {
  found: boolean;
  /** Where to go on: far enough back that a needle cut by the end of the file is not missed. */
  nextOffset: number;
  /** When the file last grew. */
  grewAt: number;
  /** Did the scan reach the end? */
  complete: boolean;
}

/** Enough for any turn, little enough to do while a hook waits; the rest is looked at next time. */
const mostBytes = 2 * 1024 * 1024;

/** Looks for a text in a transcript from an offset on. Undefined if there is no such file. */
export function scanTranscript(path: string, needle: string, offset: number): Scan | undefined {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return undefined; // Not written yet, or cleaned up: the caller decides what that means.
  }
  try {
    const { size, mtimeMs } = fstatSync(fd);
    const start = Math.min(offset, size);
    const buffer = Buffer.alloc(Math.min(size - start, mostBytes));
    const read = readSync(fd, buffer, 0, buffer.length, start);
    const found = buffer.subarray(0, read).includes(needle);
    const end = start + read;
    return {
      found,
      nextOffset: Math.max(start, end - needle.length),
      grewAt: mtimeMs,
      complete: end >= size,
    };
  } finally {
    closeSync(fd);
  }
}

export function transcriptSize(path: string | null): number {
  if (path === null) return 0;
  try {
    const fd = openSync(path, "r");
    const { size } = fstatSync(fd);
    closeSync(fd);
    return size;
  } catch {
    return 0; // A new session has no transcript yet.
  }
}
