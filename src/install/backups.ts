import { hash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseJson } from "../shared/json.ts";

/** Copies of the user's files from before we changed them. */
export interface Backups {
  /** Copies the file as it is now and returns the path of the copy; undefined if there is no file. */
  keep(file: string): string | undefined;
  /** The original content: null if there was no file, undefined if no copy was made. */
  original(file: string): string | null | undefined;
  /** Every file that we have changed and not restored. */
  files(): string[];
  drop(file: string): void;
}

export function openBackups(folder: string): Backups {
  const index = join(folder, "index.json");

  /** Maps each file to the name of its copy, or to null. */
  function read(): Record<string, string | null> {
    return existsSync(index) ? (parseJson(readFileSync(index, "utf8")) as Record<string, string | null>) : {};
  }

  function write(entries: Record<string, string | null>): void {
    if (Object.keys(entries).length === 0) return rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(`${index}.next`, `${JSON.stringify(entries, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${index}.next`, index);
  }

  return {
    keep(file) {
      const suffix = hash("sha256", file).slice(0, 8);
      const name = existsSync(file) ? `${basename(file)}.${suffix}` : null;
      if (name !== null) copyPrivately(file, folder, name);
      write({ ...read(), [file]: name });
      return name === null ? undefined : join(folder, name);
    },
    original(file) {
      const name = read()[file];
      return name ? readFileSync(join(folder, name), "utf8") : name;
    },
    files: () => Object.keys(read()),
    drop(file) {
      const { [file]: name, ...rest } = read();
      if (name) rmSync(join(folder, name), { force: true });
      write(rest);
    },
  };
}

function copyPrivately(file: string, folder: string, name: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  copyFileSync(file, join(folder, name));
  chmodSync(join(folder, name), 0o600);
}
