import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openStore, type Store } from "../../store/open-store.ts";
import { makeQuietSessionFinder } from "./quiet-sessions.ts";

const now = 1_800_000_000_000;
let folder: string;
let store: Store;
let transcript: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rk-quiet-"));
  store = openStore(join(folder, "rookery.db"), () => now);
  transcript = join(folder, "transcript.jsonl");
  writeFileSync(transcript, "{}\n");
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

function addSession(
  isOpen: boolean,
  changes: { transcriptPath?: string | null; status?: "active" | "ended" } = {},
): void {
  store.agents.insert({
    id: "a",
    name: "api-jay",
    project: "/p",
    projectName: "api",
    seat: 1,
    createdAt: now,
  });
  store.sessions.insert({
    id: "s",
    agentId: "a",
    host: "claude-code",
    project: "/p",
    cwd: "/p",
    transcriptPath: transcript,
    hostPid: null,
    pidStarted: null,
    source: "startup",
    model: null,
    title: null,
    branch: null,
    status: "active",
    statusAt: now,
    endReason: null,
    startedAt: now,
    lastEventAt: now,
    ...changes,
  });
  store.turns.insert({
    id: "t",
    sessionId: "s",
    promptId: "p",
    originKind: "human",
    lastAssistantMessage: null,
    outcome: isOpen ? null : "completed",
    startedAt: now,
    endedAt: isOpen ? null : now,
  });
}

/** Writes to the transcript at this time. */
function write(at: number): void {
  utimesSync(transcript, at / 1000, at / 1000);
}

it("lists a session with an open turn once its transcript has been quiet for a minute, only once until it is written again", () => {
  addSession(true);
  const list = makeQuietSessionFinder(store);
  write(now - 30_000);
  expect(list(now)).toEqual([]);
  expect(list(now + 31_000)).toEqual(["s"]);
  expect(list(now + 90_000)).toEqual([]);
  write(now + 100_000);
  expect(list(now + 130_000)).toEqual([]);
  expect(list(now + 161_000)).toEqual(["s"]);
});

it("lists a session whose transcript was written before the clock was set back", () => {
  addSession(true);
  write(now + 86_400_000);
  expect(makeQuietSessionFinder(store)(now)).toEqual(["s"]);
});

it.each([
  ["a turn that has ended", false, {}],
  ["a session that is over", true, { status: "ended" as const }],
  ["a session without a transcript", true, { transcriptPath: null }],
  ["a transcript that is gone", true, { transcriptPath: "/nowhere/x.jsonl" }],
])("leaves out %s", (_case, isOpen, changes) => {
  addSession(isOpen, changes);
  write(now - 120_000);
  expect(makeQuietSessionFinder(store)(now)).toEqual([]);
});
