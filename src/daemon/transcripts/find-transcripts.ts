import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { redactText } from "../../redact/redact-text.ts";
import { openRegular, readSmallFile } from "../../shared/regular-file.ts";
import { parseJson } from "../../shared/json.ts";

export interface FoundTranscript {
  path: string;
  sessionId: string;
  size: number;
  mtime: number;
  title: string | null;
  branch: string | null;
}

interface IndexEntry {
  sessionId?: unknown;
  customTitle?: unknown;
  summary?: unknown;
  gitBranch?: unknown;
}

const dayMs = 86_400_000;
/** What goes within this time is worth a word. */
const soonDays = 5;
const defaultCleanupDays = 30;
const peekBytes = 256 * 1024;
const maxJsonBytes = 64 * 1024 * 1024;

/** The transcripts of sessions under Claude Code's folder, oldest first: a fork comes after what it was forked from. */
export async function findTranscripts(claudeFolder: string): Promise<FoundTranscript[]> {
  const projects = join(claudeFolder, "projects");
  const found: FoundTranscript[] = [];
  for (const folder of await listFolder(projects)) {
    const files = (await listFolder(join(projects, folder))).filter(isTranscript);
    if (files.length === 0) continue;
    const known = readIndex(join(projects, folder, "sessions-index.json"));
    for (const file of files) {
      const path = join(projects, folder, file);
      const about = await stat(path).catch(() => undefined); // Claude Code may delete it under our eyes.
      if (!about?.isFile()) continue;
      const sessionId = basename(file, ".jsonl");
      const { title, branch } = known.get(sessionId) ?? { title: null, branch: null };
      found.push({ path, sessionId, size: about.size, mtime: Math.trunc(about.mtimeMs), title, branch });
    }
  }
  return found.toSorted((a, b) => a.mtime - b.mtime || a.path.localeCompare(b.path));
}

/** Subagents have files of their own: the call's result in the session tells what came of it. */
function isTranscript(file: string): boolean {
  return file.endsWith(".jsonl") && !file.startsWith("agent-");
}

/** How many of them Claude Code is about to delete, and after how many days it does. */
export function countExpiring(
  claudeFolder: string,
  transcripts: readonly FoundTranscript[],
  nowMs: number,
): { expiring: number; cleanupDays: number } {
  const settings = readJson(join(claudeFolder, "settings.json"));
  const configured = (settings as { cleanupPeriodDays?: unknown } | undefined)?.cleanupPeriodDays;
  const cleanupDays = typeof configured === "number" && configured >= 0 ? configured : defaultCleanupDays;
  const limit = nowMs - (cleanupDays - soonDays) * dayMs;
  return { expiring: transcripts.filter(({ mtime }) => mtime < limit).length, cleanupDays };
}

/** Where the session worked, from the beginning of its transcript. */
export async function peekCwd(path: string): Promise<string | undefined> {
  const file = await openRegular(path);
  if (!file) return undefined;
  try {
    const buffer = Buffer.alloc(peekBytes);
    const { bytesRead } = await file.read(buffer, 0, peekBytes, 0);
    const quoted = /"cwd":("(?:[^"\\]|\\.)*")/.exec(buffer.toString("utf8", 0, bytesRead))?.[1];
    return quoted === undefined ? undefined : (parseJson(quoted) as string);
  } catch {
    return undefined; // Not where we look for it: the lines themselves will tell.
  } finally {
    await file.close();
  }
}

/** What Claude Code's own index says of its sessions. */
function readIndex(path: string): Map<string, Pick<FoundTranscript, "title" | "branch">> {
  const { entries } = (readJson(path) ?? {}) as { entries?: unknown };
  const known = new Map<string, Pick<FoundTranscript, "title" | "branch">>();
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
    return undefined; // Not there, or not whole: everything it tells is extra.
  }
}

async function listFolder(path: string): Promise<string[]> {
  return readdir(path).catch(() => []); // Not there, or not a folder: nothing to list.
}
