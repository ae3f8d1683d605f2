import { mkdirSync, rmSync, statSync } from "node:fs";
import { basename } from "node:path";
import { defaultHost } from "../hosts/hosts.ts";
import { ageMs } from "../shared/clock.ts";
import { AppError } from "../shared/errors.ts";

const { install: host } = defaultHost;

const maxWaitMs = 2_000;
/** Claude Code treats an older lock as abandoned. */
const staleMs = 10_000;

/**
 * Claude Code writes `.claude.json` often and locks it with a folder `.claude.json.lock`. Changing the file without
 * this lock could undo a session's write. Other files have no such lock.
 */
export function withStateLock<T>(file: string, act: () => T): T {
  if (basename(file) !== host.stateFile) return act();
  const lock = `${file}.lock`;
  const until = performance.now() + maxWaitMs;
  while (!acquire(lock)) {
    if (performance.now() > until)
      throw new AppError("settings_not_written", `${file} was left alone: Claude Code holds its lock.`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25);
  }
  try {
    return act();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function acquire(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The folder does not exist, so there is no other writer.
    if (code === "ENOENT") return true;
    if (code !== "EEXIST") throw error;
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (ageMs(since, Date.now()) > staleMs) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}
