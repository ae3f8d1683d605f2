import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { AppError } from "../shared/errors.ts";

export interface StatusLineInstall {
  /** Claude Code's settings of this user. */
  settings: string;
  launcher: string;
  /** Our note of what stood there before, in our own home. */
  recordFile: string;
}

interface Before {
  hadFile: boolean;
  statusLine: unknown;
}

type Settings = Record<string, unknown>;

/** Sets our line and leaves all else as it is. What stood there is noted, and the file kept beside itself. */
export function installStatusLine({
  settings,
  launcher,
  recordFile,
}: StatusLineInstall): "installed" | "present" {
  const hadFile = existsSync(settings);
  const current = readSettings(settings);
  const command = `${quote(launcher)} statusline`;
  const { statusLine } = current;
  if (isOurs(statusLine) && (statusLine as { command: string }).command === command) return "present";
  if (!isOurs(statusLine)) {
    const before: Before = { hadFile, statusLine: statusLine ?? null };
    mkdirSync(dirname(recordFile), { recursive: true, mode: 0o700 });
    writeFileSync(recordFile, `${JSON.stringify(before, null, 2)}\n`, { mode: 0o600 });
    if (hadFile) copyFileSync(settings, `${settings}.before-rookery`);
  }
  writeSettings(settings, { ...current, statusLine: { type: "command", command } });
  return "installed";
}

/** Puts back what stood there, unless somebody has set another one since. */
export function removeStatusLine({ settings, recordFile }: StatusLineInstall): "removed" | "absent" {
  if (!existsSync(settings)) return "absent";
  const current = readSettings(settings);
  const before = existsSync(recordFile)
    ? (JSON.parse(readFileSync(recordFile, "utf8")) as Before)
    : undefined;
  rmSync(recordFile, { force: true });
  rmSync(`${settings}.before-rookery`, { force: true });
  if (!isOurs(current.statusLine)) return "absent";
  const { statusLine: _ours, ...rest } = current;
  const restored = before?.statusLine ? { ...rest, statusLine: before.statusLine } : rest;
  if (before?.hadFile === false && Object.keys(restored).length === 0) rmSync(settings);
  else writeSettings(settings, restored);
  return "removed";
}

function isOurs(statusLine: unknown): boolean {
  const { command } = (statusLine ?? {}) as { command?: unknown };
  return typeof command === "string" && /[\\/]bin[\\/]rookery'? statusline$/.test(command);
}

function readSettings(file: string): Settings {
  if (!existsSync(file)) return {};
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Settings;
    throw new Error("it does not hold one JSON object");
  } catch (cause) {
    const message = `${file} was left alone: ${(cause as Error).message}`;
    throw new AppError("settings_unreadable", message, { cause });
  }
}

/** Whole or not at all. */
function writeSettings(file: string, settings: Settings): void {
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.rookery-next`;
  writeFileSync(next, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  renameSync(next, file);
}

/** The command is read by a shell. */
function quote(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
