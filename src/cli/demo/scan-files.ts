import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface FileScan {
  files: number;
  /** For each word, the names of the files that contain it (case-insensitive). */
  found: Record<string, string[]>;
}

/** Searches all files under a folder for these words. */
export function scanFiles(folder: string, words: readonly string[]): FileScan {
  const found: Record<string, string[]> = Object.fromEntries(words.map((word) => [word, []]));
  let files = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = readIfPresent(join(entry.parentPath, entry.name));
    if (text === undefined) continue;
    files++;
    for (const word of words) if (text.includes(word.toLowerCase())) found[word]?.push(entry.name);
  }
  return { files, found };
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path).toString("latin1").toLowerCase();
  } catch {
    return undefined; // The daemon deletes some of its files while it runs.
  }
}
