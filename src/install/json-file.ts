import { chmodSync, closeSync, fsyncSync, lstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { readlinkSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { AppError } from "../shared/errors.ts";
import { getNodeValue } from "jsonc-parser";
import { isRecord, parseJson } from "../shared/json.ts";
import { parseText } from "./json-text.ts";

export type JsonObject = Record<string, unknown>;

interface JsonFile {
  /** The text as it is in the file: order, indentation and line ends are kept. */
  text: string;
  value: JsonObject;
}

/** Reads a user's file that should contain one JSON object; undefined if there is no file. Throws for anything else. */
export function readJsonFile(file: string): JsonFile | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw refuse(file, cause);
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, value: parseObject(text) };
  } catch (cause) {
    throw refuse(file, cause);
  }
}

export function parseObject(text: string): JsonObject {
  const value: unknown = parseJson(JSON.stringify(getNodeValue(parseText(text))));
  if (isRecord(value)) return value;
  throw new Error("it is not one JSON object");
}

/** Writes atomically, follows a link and keeps the file's permissions. */
export function writeTextFile(file: string, text: string): void {
  try {
    const target = followLink(file);
    mkdirSync(dirname(target), { recursive: true });
    const mode = statSync(target, { throwIfNoEntry: false })?.mode;
    const next = `${target}.rookery-next`;
    const fd = openSync(next, "w", mode ?? 0o666);
    try {
      writeFileSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    if (mode !== undefined) chmodSync(next, mode & 0o7777);
    renameSync(next, target);
  } catch (cause) {
    throw new AppError("settings_not_written", `${file} was left alone: ${(cause as Error).message}`, {
      cause,
    });
  }
}

export function removeFile(file: string): void {
  rmSync(followLink(file), { force: true });
}

/** The target of a link, even if it does not exist yet: people link to settings that they keep elsewhere. */
function followLink(file: string): string {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return file;
  return statSync(file, { throwIfNoEntry: false })
    ? realpathSync(file)
    : resolve(dirname(file), readlinkSync(file));
}

function refuse(file: string, cause: unknown): AppError {
  const message = `${file} was left alone: ${(cause as Error).message}`;
  return new AppError("settings_unreadable", message, { cause });
}
