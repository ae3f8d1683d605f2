import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Looked {
  files: number;
  /** Per word: the names of the files that hold it, in any case. */
  found: Record<string, string[]>;
}

/** Reads every file under a folder, byte by byte, and says where these words stand. */
export function lookFor(folder: string, words: readonly string[]): Looked {
  const found: Record<string, string[]> = Object.fromEntries(words.map((word) => [word, []]));
  let files = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = readIfThere(join(entry.parentPath, entry.name));
    if (text === undefined) continue;
    files++;
    for (const word of words) if (text.includes(word.toLowerCase())) found[word]?.push(entry.name);
  }
  return { files, found };
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path).toString("latin1").toLowerCase();
  } catch {
    return undefined; // The daemon removes its own files as it works.
  }
}
