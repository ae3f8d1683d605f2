import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, join, sep } from "node:path";
import { defaultHost } from "../hosts/hosts.ts";

const { install: host } = defaultHost;

/** The user's own Claude Code on PATH. */
export function findClaude(path: string | undefined): string | undefined {
  return findCommand(host.command, path);
}

/** Finds a command on PATH; skips copies in a project's node_modules. */
export function findCommand(command: string, path: string | undefined): string | undefined {
  const names = process.platform === "win32" ? [`${command}.exe`, `${command}.cmd`] : [command];
  for (const folder of (path ?? "").split(delimiter).filter(Boolean)) {
    if (folder.includes(`${sep}node_modules${sep}.bin`)) continue;
    for (const name of names) {
      const file = join(folder, name);
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(realpathSync(file), constants.X_OK);
    return true;
  } catch {
    return false; // Not in this folder.
  }
}
