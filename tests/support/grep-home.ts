import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The files under a folder that contain this text, ignoring case. */
export function filesHolding(root: string, word: string): string[] {
  const needle = word.toLowerCase();
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => read(join(root, name)).includes(needle))
    .toSorted();
}

/** Empty for a folder, and for a file that the daemon has deleted in the meantime. */
function read(path: string): string {
  try {
    return lstatSync(path).isFile() ? readFileSync(path).toString("latin1").toLowerCase() : "";
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
