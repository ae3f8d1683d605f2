import { closeSync, readSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { redactText } from "../../redact/redact-text.ts";
import { openRegularSync, readSmallFile } from "../../shared/regular-file.ts";
import type { SessionTables } from "../../domain/transcript/session-tables.ts";
import type { Host } from "../../hosts/host.ts";
import { defaultHost, hostFor, hosts } from "../../hosts/hosts.ts";
import { parseJson } from "../../shared/json.ts";
import { listDatabaseSessions } from "../../store/session-databases.ts";
import { nameDatabaseSession } from "./read-database.ts";
import { dayMs } from "../../shared/clock.ts";

export interface FoundTranscript {
  /** The host whose format it has. */
  host: string;
  path: string;
  sessionId: string;
  /** The session's folder, by the beginning of the file. */
  cwd: string | null;
  size: number;
  mtime: number;
  title: string | null;
  branch: string | null;
}

type SessionNames = Pick<FoundTranscript, "title" | "branch">;

interface IndexEntry {
  sessionId?: unknown;
  customTitle?: unknown;
  summary?: unknown;
  gitBranch?: unknown;
}

/** Transcripts that the host deletes within this time are reported. */
const soonDays = 5;
const glanceBytes = 16 * 1024;
const peekBytes = 256 * 1024;
const maxJsonBytes = 64 * 1024 * 1024;

/** The transcripts of sessions under a host's folder, oldest first: a fork comes after its original. */
export async function findTranscripts(configFolder: string): Promise<FoundTranscript[]> {
  const found = await Promise.all(hosts.map((host) => findOfHost(host, configFolder)));
  return found.flat().toSorted((a, b) => a.mtime - b.mtime || a.path.localeCompare(b.path));
}

async function findOfHost({ name, transcripts }: Host, configFolder: string): Promise<FoundTranscript[]> {
  const { folder, depth, archive, database } = transcripts;
  const root = join(configFolder, folder);
  if (database) return findInDatabase(name, join(root, database.file), database.tables);
  const found = [await findBelow(name, transcripts, root, depth)];
  if (archive !== undefined) found.push(await findBelow(name, transcripts, join(configFolder, archive), 0));
  return found.flat();
}

async function findBelow(
  host: string,
  transcripts: Host["transcripts"],
  root: string,
  depth: number,
): Promise<FoundTranscript[]> {
  const found: FoundTranscript[] = [];
  for (const folder of await listFolders(root, depth)) {
    const sessions = (await listFolder(folder)).flatMap((file) => {
      const path = join(folder, file);
      const sessionId = transcripts.sessionIdOf(relative(root, path).replaceAll("\\", "/"), () =>
        readStart(path, glanceBytes),
      );
      return sessionId === undefined ? [] : [{ path, sessionId }];
    });
    if (sessions.length === 0) continue;
    const known = transcripts.indexFile
      ? readIndex(join(folder, transcripts.indexFile))
      : new Map<string, SessionNames>();
    for (const { path, sessionId } of sessions) {
      const stats = await stat(path).catch(() => undefined); // The host may delete it in the meantime.
      if (!stats?.isFile()) continue;
      const { title, branch } = known.get(sessionId) ?? { title: null, branch: null };
      found.push({
        host,
        path,
        sessionId,
        cwd: null,
        size: stats.size,
        mtime: Math.trunc(stats.mtimeMs),
        title,
        branch,
      });
    }
  }
  return found;
}

function findInDatabase(host: string, database: string, tables: SessionTables): FoundTranscript[] {
  return listDatabaseSessions(database, tables).map((session) => ({
    ...session,
    host,
    path: nameDatabaseSession(database, session.sessionId),
    title: firstText(session.title),
    branch: null,
  }));
}

async function listFolders(root: string, depth: number): Promise<string[]> {
  if (depth === 0) return [root];
  const below = (await listFolder(root)).map((name) => listFolders(join(root, name), depth - 1));
  return (await Promise.all(below)).flat();
}

/** The number of transcripts that their host will delete soon, and the days it keeps one. */
export function countExpiring(
  configFolder: string,
  transcripts: readonly FoundTranscript[],
  nowMs: number,
): { expiring: number; cleanupDays: number } {
  const { install, transcripts: format } = defaultHost;
  const cleanupDays = format.retentionDays(readJson(join(configFolder, install.settingsFile)));
  if (cleanupDays === undefined) return { expiring: 0, cleanupDays: 0 };
  const limit = nowMs - (cleanupDays - soonDays) * dayMs;
  const own = transcripts.filter(({ host }) => host === defaultHost.name);
  return { expiring: own.filter(({ mtime }) => mtime < limit).length, cleanupDays };
}

/** Facts about a session from the beginning of its transcript. */
export interface TranscriptBeginning {
  /** The session's folder; null if the beginning does not name it: the lines name it later. */
  cwd: string | null;
  isSubagent: boolean;
}

/** Reads the beginning of a transcript. An unreadable file is treated like one without these facts. */
export function readBeginning({ host, path }: Pick<FoundTranscript, "host" | "path">): TranscriptBeginning {
  const { isSubagent, folderOf = findCwd } = hostFor(host).transcripts;
  // The folder is usually in one of the first lines.
  const cwd = isSubagent ? undefined : folderOf(readStart(path, glanceBytes));
  if (cwd !== undefined) return { cwd, isSubagent: false };
  const start = readStart(path, peekBytes);
  return { cwd: folderOf(start) ?? null, isSubagent: isSubagent?.(start) ?? false };
}

/** Empty if the file cannot be read: reading all of it will report the error. */
function readStart(path: string, maxBytes: number): string {
  try {
    const file = openRegularSync(path);
    if (!file) return "";
    try {
      const buffer = Buffer.allocUnsafe(Math.min(maxBytes, file.stats.size));
      return buffer.toString("utf8", 0, readSync(file.fd, buffer, 0, buffer.length, 0));
    } finally {
      closeSync(file.fd);
    }
  } catch {
    return "";
  }
}

function findCwd(start: string): string | undefined {
  const quoted = /"cwd":("(?:[^"\\]|\\.)*")/.exec(start)?.[1];
  try {
    return quoted === undefined ? undefined : (parseJson(quoted) as string);
  } catch {
    return undefined;
  }
}

/** Titles and branches from the host's own index of sessions. */
function readIndex(path: string): Map<string, SessionNames> {
  const { entries } = (readJson(path) ?? {}) as { entries?: unknown };
  const known = new Map<string, SessionNames>();
  for (const entry of Array.isArray(entries) ? (entries as (IndexEntry | null)[]) : []) {
    if (typeof entry?.sessionId !== "string") continue;
    const title = firstText(entry.customTitle, entry.summary);
    known.set(entry.sessionId, { title, branch: firstText(entry.gitBranch) });
  }
  return known;
}

function firstText(...candidates: unknown[]): string | null {
  const text = candidates.find((candidate) => typeof candidate === "string" && candidate !== "");
  return text === undefined ? null : redactText(text as string).text;
}

function readJson(path: string): unknown {
  try {
    return parseJson(readSmallFile(path, maxJsonBytes) ?? "null");
  } catch {
    return undefined; // Missing or incomplete: the index is optional.
  }
}

async function listFolder(path: string): Promise<string[]> {
  return readdir(path).catch(() => []); // Missing, or not a folder.
}
