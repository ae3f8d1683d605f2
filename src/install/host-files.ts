import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { HostEntry, HostFile } from "../hosts/host.ts";
import type { Backups } from "./backups.ts";
import { addToFile, type Change, removeFromFile } from "./edit-file.ts";
import type { InstallOutcome } from "./host-plugin.ts";
import { type JsonObject, readJsonFile, removeFile, writeTextFile } from "./json-file.ts";
import { isRecord } from "../shared/json.ts";

/** Writes our files and entries into a host's folder. Idempotent. */
export function installHostFiles(
  folder: string,
  files: readonly HostFile[],
  backups: Backups,
): InstallOutcome {
  const outcomes = files.map((file): InstallOutcome => {
    const path = join(folder, file.path);
    mkdirSync(dirname(path), { recursive: true });
    if ("text" in file) return writeOwnFile(path, file.text);
    const { changes } = addToFile(path, (value) => planEntries(value, file.entries), backups, false);
    if (changes.length === 0) return "present";
    return changes.some(({ value }) => value === undefined) ? "updated" : "installed";
  });
  return (["updated", "installed"] as const).find((outcome) => outcomes.includes(outcome)) ?? "present";
}

/** Removes exactly what `installHostFiles` wrote; returns whether there was anything. */
export function uninstallHostFiles(folder: string, files: readonly HostFile[], backups: Backups): boolean {
  const removed = files.map((file): boolean => {
    const path = join(folder, file.path);
    const isThere = "text" in file ? existsSync(path) : removeEntries(path, file.entries, backups);
    if ("text" in file && isThere) removeFile(path);
    if (isThere) removeEmptyFolders(dirname(path), folder);
    return isThere;
  });
  return removed.includes(true);
}

function removeEntries(path: string, entries: readonly HostEntry[], backups: Backups): boolean {
  const plan = (value: JsonObject): Change[] => findOurs(value, entries).map((place) => ({ path: place }));
  return removeFromFile(path, plan, backups, false).changes.length > 0;
}

/** Removes a folder and those around it, up to and including the host's, as long as they are empty. */
function removeEmptyFolders(folder: string, top: string): void {
  if (lstatSync(folder).isSymbolicLink() || readdirSync(folder).length > 0) return;
  rmdirSync(folder);
  if (folder !== top) removeEmptyFolders(dirname(folder), top);
}

export function hasHostFiles(folder: string, files: readonly HostFile[]): boolean {
  return files.some((file) => {
    const path = join(folder, file.path);
    if ("text" in file) return existsSync(path);
    return findOurs(readJsonFile(path)?.value ?? {}, file.entries).length > 0;
  });
}

function writeOwnFile(path: string, text: string): InstallOutcome {
  const before = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  if (before === text) return "present";
  writeTextFile(path, text);
  return before === undefined ? "installed" : "updated";
}

/** No changes if all entries are there; otherwise removes all of ours and adds the wanted ones. */
function planEntries(value: JsonObject, entries: readonly HostEntry[]): Change[] {
  const ours = findOurs(value, entries);
  const current = ours.map((path) => valueAt(value, path));
  const wanted = entries.map((entry) => entry.value);
  const isPresent = (each: unknown): boolean => current.some((other) => isDeepStrictEqual(each, other));
  if (current.length === wanted.length && wanted.every(isPresent)) return [];
  const added = entries.map(({ at, isListed, value: entry }, index): Change => {
    if (!isListed) return { path: [...at], value: entry };
    const list = valueAt(value, at);
    const sameList = (path: readonly (string | number)[]): boolean =>
      isDeepStrictEqual(path.slice(0, -1), [...at]);
    const theirs = (Array.isArray(list) ? list.length : 0) - ours.filter(sameList).length;
    const earlier = entries.slice(0, index).filter((other) => isDeepStrictEqual(other.at, at)).length;
    return { path: [...at, theirs + earlier], value: entry };
  });
  return [...ours.map((path): Change => ({ path })), ...added];
}

/** Entries that name a file of ours, last first, so that removing one leaves the other paths valid. */
function findOurs(value: JsonObject, entries: readonly HostEntry[]): (string | number)[][] {
  const places = new Map(entries.map((entry) => [JSON.stringify(entry.at), entry]));
  return [...places.values()].flatMap(({ at, isListed }) => {
    const there = valueAt(value, at);
    if (!isListed) return namesOurs(there) ? [[...at]] : [];
    const list: unknown[] = Array.isArray(there) ? there : [];
    return list.flatMap((entry, index) => (namesOurs(entry) ? [[...at, index]] : [])).toReversed();
  });
}

/** Our entries point to files behind the link in a Rookery home. No other program uses such a path. */
function namesOurs(value: unknown): boolean {
  return /[\\/]app[\\/]+current[\\/]+plugin[\\/]/.test(JSON.stringify(value) ?? "");
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (now, key) => (Array.isArray(now) ? now[Number(key)] : isRecord(now) ? now[String(key)] : undefined),
    value,
  );
}
