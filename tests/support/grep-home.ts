import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The files under a folder that contain this text, ignoring case. */
export function filesHolding(root: string, word: string): string[] {
  const needle = word.toLowerCase();
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => lstatSync(join(root, name)).isFile())
    .filter((name) => readFileSync(join(root, name)).toString("latin1").toLowerCase().includes(needle))
    .toSorted();
}
