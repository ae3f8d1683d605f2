import { rmdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { AppError } from "../shared/errors.ts";
import type { Backups } from "./backups.ts";
import { type JsonObject, parseObject, readJsonFile, removeFile, writeTextFile } from "./json-file.ts";
import { listComments, type Path, removeAt, setAt } from "./json-text.ts";
import { hasOurEntries } from "./ours.ts";
import { isRecord } from "../shared/json.ts";

/** One change to a file: sets or removes the value at a path. */
export interface Change {
  path: Path;
  /** Undefined removes the value. */
  value?: unknown;
}

export interface FileEdit {
  file: string;
  changes: Change[];
  /** Path of the backup; only set if this edit made one. */
  backup?: string;
}

/** Plans the changes to a file with this value; empty if nothing has to change. */
export type Planner = (value: JsonObject) => Change[];

/** Adds or updates our entries in a file. Makes a backup if the file had no entry of ours. */
export function addToFile(file: string, plan: Planner, backups: Backups, dryRun: boolean): FileEdit {
  const before = readJsonFile(file);
  const changes = plan(before?.value ?? {});
  const text = applyChanges(file, before?.text ?? "{}\n", changes);
  if (changes.length === 0 || dryRun) return { file, changes };
  const backup = before && hasOurEntries(before.value) ? undefined : backups.keep(file);
  writeTextFile(file, text);
  return { file, changes, ...(backup ? { backup } : {}) };
}

/** Removes our entries from a file, and containers that this leaves empty and that the original did not have. */
export function removeFromFile(file: string, plan: Planner, backups: Backups, dryRun: boolean): FileEdit {
  const before = readJsonFile(file);
  if (!before) return { file, changes: [] };
  const changes = plan(before.value);
  if (changes.length === 0 || dryRun) return { file, changes };
  const places = changes.map(({ path }) => path);
  writeWithoutOurs(file, applyChanges(file, before.text, changes), places, backups);
  return { file, changes };
}

/**
 * Writes a file from whose text our entries at these paths were removed. Also removes containers that are empty now and
 * not in the original. If the result has the same value as the original, the original text is written.
 */
export function writeWithoutOurs(file: string, text: string, places: Path[], backups: Backups): void {
  const original = backups.original(file);
  const was = typeof original === "string" ? parseObject(original) : {};
  const pruned = prune(text, places, was);
  const value = parseObject(pruned);
  if (typeof original === "string" && isDeepStrictEqual(value, was) && hasSameComments(pruned, original))
    writeTextFile(file, original);
  else if (original === null && isBare(value)) removeOurFile(file);
  else writeTextFile(file, pruned);
  if (!hasOurEntries(value)) backups.drop(file);
}

function hasSameComments(a: string, b: string): boolean {
  return isDeepStrictEqual(listComments(a), listComments(b));
}

/** Whether this is all that Claude Code leaves in a file that it created for us. */
function isBare(value: JsonObject): boolean {
  return Object.keys(value).every((key) => key === "version");
}

function applyChanges(file: string, text: string, changes: Change[]): string {
  const changed = changes.reduce((now, { path, value }) => {
    checkPath(file, now, path);
    return value === undefined ? removeAt(now, path) : setAt(now, path, value);
  }, text);
  parseObject(changed); // Verifies our own result before it is written.
  return changed;
}

/** Throws if the path runs through a value that is neither a list nor an object. */
function checkPath(file: string, text: string, path: Path): void {
  let value: unknown = parseObject(text);
  for (const [depth, key] of path.entries()) {
    if (value === undefined) return;
    if (typeof key === "number" ? !Array.isArray(value) : !isRecord(value))
      throw new AppError(
        "settings_unreadable",
        `${file} was left alone: ${path.slice(0, depth).join(".")} is not ${typeof key === "number" ? "a list" : "an object"}.`,
      );
    value = (value as Record<string | number, unknown>)[key];
  }
}

/** Removes containers that are empty now and not in the original, innermost first. */
function prune(text: string, places: Path[], was: JsonObject): string {
  const containers = places
    .flatMap((path) => path.map((_, depth) => path.slice(0, depth)).slice(1))
    .toSorted((a, b) => b.length - a.length);
  return containers.reduce((now, path) => {
    const isEmpty = isEmptyContainer(valueAt(parseObject(now), path));
    return isEmpty && valueAt(was, path) === undefined ? removeAt(now, path) : now;
  }, text);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (now, key) =>
      typeof now === "object" && now !== null ? (now as Record<string | number, unknown>)[key] : undefined,
    value,
  );
}

function isEmptyContainer(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

function removeOurFile(file: string): void {
  removeFile(file);
  const folder = dirname(file);
  if (basename(folder) !== ".claude") return;
  try {
    rmdirSync(folder);
  } catch {
    // Not empty: it contains files that are not ours.
  }
}
