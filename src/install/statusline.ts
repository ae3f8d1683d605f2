import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseJson } from "../shared/json.ts";
import type { Backups } from "./backups.ts";
import { addToFile, type FileEdit, removeFromFile } from "./edit-file.ts";
import { readJsonFile } from "./json-file.ts";
import { isOurStatusLine } from "./ours.ts";
import { shellQuote } from "../shared/text.ts";

export interface StatusLineInstall {
  /** Claude Code's settings file of this user. */
  settings: string;
  launcher: string;
  /** File in our home that records the previous status line. */
  recordFile: string;
  backups: Backups;
}

/** Sets our status line and changes nothing else. Records the previous one and makes a backup of the file. */
export function installStatusLine({ settings, launcher, recordFile, backups }: StatusLineInstall): FileEdit {
  const wanted = { type: "command", command: `${shellQuote(launcher)} statusline` };
  const current = readJsonFile(settings)?.value.statusLine;
  if (isOurStatusLine(current) && (current as { command: string }).command === wanted.command)
    return { file: settings, changes: [] };
  if (!isOurStatusLine(current)) {
    mkdirSync(dirname(recordFile), { recursive: true, mode: 0o700 });
    writeFileSync(recordFile, `${JSON.stringify({ statusLine: current ?? null }, null, 2)}\n`, {
      mode: 0o600,
    });
  }
  return addToFile(settings, () => [{ path: ["statusLine"], value: wanted }], backups, false);
}

/** Restores the previous status line, unless the user has set another one since. */
export function removeStatusLine(
  { settings, recordFile, backups }: Omit<StatusLineInstall, "launcher">,
  dryRun = false,
): FileEdit {
  const before = readRecord(recordFile) ?? undefined;
  const edited = removeFromFile(
    settings,
    ({ statusLine }) => (isOurStatusLine(statusLine) ? [{ path: ["statusLine"], value: before }] : []),
    backups,
    dryRun,
  );
  if (!dryRun) rmSync(recordFile, { force: true });
  return edited;
}

function readRecord(file: string): unknown {
  return existsSync(file)
    ? (parseJson(readFileSync(file, "utf8")) as { statusLine: unknown }).statusLine
    : undefined;
}
