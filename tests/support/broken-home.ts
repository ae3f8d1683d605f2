import {
  chmodSync,
  cpSync,
  mkdirSync,
  openSync,
  closeSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { prepareHome } from "../../src/config/home.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { plugin, type Ran, repository, runProcess, type Rookery } from "./rookery.ts";

/** The built command line as its user would run it, without the launcher's search for a Node. */
export function runCli(rookery: Rookery, args: string[], from = plugin): Promise<Ran> {
  const script = join(from, "dist", "cli.js");
  return runProcess(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", script, ...args],
    "",
    rookery.env,
  );
}

/** A checkout of its own, that may be moved or changed. Returns its plugin's folder. */
export function copyCheckout(rookery: Rookery, name: string): string {
  const folder = join(rookery.folder, name);
  for (const part of ["plugin", ".claude-plugin"])
    cpSync(join(repository, part), join(folder, part), { recursive: true });
  return join(folder, "plugin");
}

/** Writes into a file of the home; `ageMs` ago, if told. */
export function place(rookery: Rookery, path: string, text: string, { mode = 0o600, ageMs = 0 } = {}): void {
  prepareHome(rookery.home);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
  const then = new Date(Date.now() - ageMs);
  utimesSync(path, then, then);
}

/** Writes rubbish over the second half of a database, which no daemon has open. */
export function damage(file: string): void {
  const { size } = statSync(file);
  const fd = openSync(file, "r+");
  writeSync(fd, Buffer.alloc(Math.floor(size / 2), "rubbish "), 0, undefined, Math.floor(size / 2));
  closeSync(fd);
}

export function changeDatabase(rookery: Rookery, sql: string): void {
  const db = openDatabase(rookery.home.database);
  db.script(sql);
  db.close();
}

/** The real claude, as its user has it: on PATH, outside of any node_modules. Returns the PATH to use. */
export function placeClaude(folder: string): string {
  const bin = join(folder, "bin");
  const claude = join(repository, "tests", "tools", "node_modules", ".bin", "claude");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "claude"), `#!/bin/sh\nexec "${claude}" "$@"\n`, { mode: 0o755 });
  return `${bin}:/usr/bin:/bin`;
}
