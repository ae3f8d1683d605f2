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

/** Runs the built CLI as a user would, without the launcher's search for Node. */
export function runCli(rookery: Rookery, args: string[], from = plugin): Promise<Ran> {
  const script = join(from, "dist", "cli.js");
  return runProcess(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", script, ...args],
    "",
    rookery.env,
  );
}

/** Copies the checkout, so that a test may move or change it. Returns its plugin folder. */
export function copyCheckout(rookery: Rookery, name: string): string {
  const folder = join(rookery.folder, name);
  for (const part of ["plugin", ".claude-plugin"])
    cpSync(join(repository, part), join(folder, part), { recursive: true });
  return join(folder, "plugin");
}

/** Writes a file of the home, dated `ageMs` ago if given. */
export function place(rookery: Rookery, path: string, text: string, { mode = 0o600, ageMs = 0 } = {}): void {
  prepareHome(rookery.home);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
  const then = new Date(Date.now() - ageMs);
  utimesSync(path, then, then);
}

/** Overwrites the second half of a database with garbage; no daemon may have it open. */
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

/** Puts the real claude on PATH as a user has it, outside of any node_modules. Returns that PATH. */
export function placeClaude(folder: string): string {
  const bin = join(folder, "bin");
  const claude = join(repository, "tests", "tools", "node_modules", ".bin", "claude");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "claude"), `#!/bin/sh\nexec "${claude}" "$@"\n`, { mode: 0o755 });
  return `${bin}:/usr/bin:/bin`;
}
