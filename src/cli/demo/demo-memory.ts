import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { defaultHost, demoHost } from "../../hosts/hosts.ts";
import type { AgentEvent } from "../../protocol/agent-events.ts";
import { daemonEndpoints } from "../../protocol/endpoints/daemon.ts";
import { memoryEndpoints } from "../../protocol/endpoints/memory.ts";
import type { MemoryKind } from "../../protocol/memory-kinds.ts";
import type { NoteView, SearchResult } from "../../protocol/memory.ts";
import type { StatusReport } from "../../protocol/status.ts";
import { parseJson } from "../../shared/json.ts";
import { contextOf, type Session, type Sandbox } from "./sandbox.ts";

export const projectName = "parcel-api";
/** Not a real key; split so that secret scanners do not report it. */
const key = ["AKIA", "Z3MK7QX5WJ2PLT4V"].join("");
/** Not only digits: those occur in random ids. */
const privateWords = ["Halden", "HM-88204"];
/** A harmless word of the recording: proves that the scan finds words that are there. */
const plainWord = "addWorkingDays";
const question = "shipment status never changes after scanning";
const answer = "dropped the trigger";
const decision = "Queue it, try every 10 minutes";
const mustRemember = [
  "weekday on the server's own clock",
  "never the local getters",
  decision,
  "Never reset the staging database",
  answer,
];

interface Line {
  event: string;
  payload: { prompt?: string; session_id: string };
}

/** The notes of two recorded sessions, the scan for secrets, and the context of the next session. */
export interface MemoryFacts {
  project: string;
  hooks: number;
  sessions: number;
  prompts: string[];
  notes: NoteView[];
  planted: { key: string; privateWords: string[]; plainWord: string };
  scan: FileScan;
  search: { question: string; results: SearchResult[] };
  nextSession: string;
  /** A session of another host: its first context. */
  elsewhere: { host: string; context: string };
  latencies: StatusReport["hooks"];
  promises: Record<string, boolean>;
}

/** Replays the recording through the real hooks, then starts the next session. */
export async function demoMemory(
  sandbox: Sandbox,
  recording: string,
  next: Session,
  signal: AbortSignal,
): Promise<MemoryFacts> {
  // Left out: at a terminal, a permission request waits for an answer.
  const lines = readRecording(recording, sandbox.project).filter(
    ({ event }) => readEvent(event) !== "permission",
  );
  for (const { event, payload } of lines)
    await sandbox.session(payload.session_id).hook(readEvent(event), payload);
  const prompts = lines.flatMap(({ payload }) => payload.prompt ?? []);
  await waitUntilDistilled(sandbox, prompts.length, signal);

  const nextSession = contextOf(await next.hook("session.started", { source: "startup" }));
  const elsewhere = await startElsewhere(sandbox);
  const { notes } = await sandbox.call(memoryEndpoints.listNotes);
  const results = await search(sandbox, { q: question, kind: "note" });
  const secrets = [key, ...privateWords];
  const searched = await Promise.all(secrets.map((word) => search(sandbox, { q: `"${word}"` })));
  const scan = scanFiles(sandbox.home.root, [...secrets, plainWord]);
  const status = await sandbox.call(daemonEndpoints.getStatus);

  const remembered = JSON.stringify(notes);
  return {
    project: projectName,
    hooks: lines.length,
    sessions: new Set(lines.map(({ payload }) => payload.session_id)).size,
    prompts,
    notes: notes.toReversed(),
    planted: { key, privateWords, plainWord },
    scan,
    search: { question, results },
    nextSession,
    elsewhere,
    latencies: status.hooks,
    promises: {
      "every event is stored": status.events === lines.length + 3 && status.spool.files === 0,
      "what matters is remembered": mustRemember.every((words) => remembered.includes(words)),
      "no secret is in any file": secrets.every((word) => scan.found[word]?.length === 0),
      "the scan finds words that are there": (scan.found[plainWord]?.length ?? 0) > 0,
      "no search finds a secret": searched.every((found) => found.length === 0),
      "the search finds the cause": results[0]?.title.includes(answer) ?? false,
      "the next session starts with it":
        nextSession.includes(plainWord) && secrets.every((word) => !nextSession.includes(word)),
      "a session of another host knows the decision": elsewhere.context.includes(decision),
    },
  };
}

/** Its hooks name the process of the demo as the host's, which must not look like an agent's when the question is answered. */
async function startElsewhere(sandbox: Sandbox): Promise<MemoryFacts["elsewhere"]> {
  const session = sandbox.session("demo-elsewhere", demoHost);
  const context = contextOf(await session.hook("session.started", { source: "startup" }), demoHost);
  await session.hook("session.ended", { reason: "exit" });
  return { host: demoHost.marks.label, context };
}

/** The recording uses Claude Code's event names. */
function readEvent(name: string): AgentEvent {
  return defaultHost.events.read(name) ?? "other";
}

function readRecording(file: string, project: string): Line[] {
  const quoted = JSON.stringify(project).slice(1, -1);
  const text = readFileSync(file, "utf8").replaceAll("{{project}}", quoted).replaceAll("{{key}}", key);
  return text
    .trim()
    .split("\n")
    .map((line) => parseJson(line) as Line);
}

/** Turns are distilled shortly after their end; each turn of the recording has a summary. */
async function waitUntilDistilled(sandbox: Sandbox, turns: number, signal: AbortSignal): Promise<void> {
  for (const until = performance.now() + 8_000; performance.now() < until; await delay(50)) {
    signal.throwIfAborted();
    const { sessions } = await sandbox.call(memoryEndpoints.getDay);
    if (sessions.flatMap((session) => session.turns).length >= turns) return;
  }
}

async function search(sandbox: Sandbox, words: { q: string; kind?: MemoryKind }): Promise<SearchResult[]> {
  const { results } = await sandbox.call(memoryEndpoints.search, { query: { ...words, limit: 2 } });
  return results;
}

interface FileScan {
  files: number;
  /** For each word, the names of the files that contain it (case-insensitive). */
  found: Record<string, string[]>;
}

/** Searches all files under a folder for these words. */
function scanFiles(folder: string, words: readonly string[]): FileScan {
  const found: Record<string, string[]> = Object.fromEntries(words.map((word) => [word, []]));
  let files = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = readIfPresent(join(entry.parentPath, entry.name));
    if (text === undefined) continue;
    files++;
    for (const word of words) if (text.includes(word.toLowerCase())) found[word]?.push(entry.name);
  }
  return { files, found };
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path).toString("latin1").toLowerCase();
  } catch {
    return undefined; // The daemon deletes some of its files while it runs.
  }
}
