import { closeSync, readSync, statSync } from "node:fs";
import { type OpenFile, openRegularSync } from "../../shared/regular-file.ts";

export interface Scan {
  found: boolean;
  /** Where to go on: far enough back that a needle cut by the end of the file is not missed. */
  nextOffset: number;
  /** When the file last grew. */
  grewAt: number;
  /** Did the scan reach the end? */
  complete: boolean;
}

/** Enough for any turn, little enough to do while a hook waits; the rest is read next time. */
const maxBytes = 2 * 1024 * 1024;

/** Looks for a text in a transcript from an offset on. Undefined if there is no such file. */
export function scanTranscript(path: string, needle: string, offset: number): Scan | undefined {
  let file: OpenFile | undefined;
  try {
    file = openRegularSync(path);
  } catch {
    return undefined; // Not readable by us.
  }
  if (!file) return undefined; // Not written yet, or cleaned up: the caller decides what that means.
  const { fd, about } = file;
  try {
    const start = Math.min(offset, about.size);
    const buffer = Buffer.alloc(Math.min(about.size - start, maxBytes));
    const read = readSync(fd, buffer, 0, buffer.length, start);
    const found = buffer.subarray(0, read).includes(needle);
    const end = start + read;
    return {
      found,
      nextOffset: Math.max(start, end - needle.length),
      grewAt: about.mtimeMs,
      complete: end >= about.size,
    };
  } finally {
    closeSync(fd);
  }
}

export function transcriptSize(path: string | null): number {
  if (path === null) return 0;
  try {
    const about = statSync(path, { throwIfNoEntry: false });
    return about?.isFile() ? about.size : 0; // A new session has no transcript yet.
  } catch {
    return 0; // Not readable by us: nothing will be found in it either.
  }
}
