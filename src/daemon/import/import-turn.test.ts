import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../../store/open-store.ts";
import type { DistilledTurn } from "../transcripts/transcript-reader.ts";
import { importTurn } from "./import-turn.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rk-keep-read-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function makeTurn(number: number): DistilledTurn {
  const files = { filesRead: [], filesModified: [] };
  return {
    sessionId: "s1",
    promptId: `p${number}`,
    key: `k${number}`,
    startedAt: number * 1000,
    endedAt: number * 1000 + 500,
    cwd: folder,
    gitBranch: null,
    version: null,
    toolUses: 0,
    prompt: `why does the walnut${number} crack`,
    isMachine: false,
    final: `The shell${number} is dry.`,
    outcome: "completed",
    notes: [
      {
        type: "discovery",
        title: `Walnut${number} cracks because the shell${number} is dry`,
        narrative: `The shell${number} of walnut${number} dries in storage${number}.`,
        facts: [],
        concepts: [],
        sourceEvents: [],
        provenance: "distil",
        ...files,
      },
    ],
    removed: [],
    loose: { facts: [] },
    summary: {
      request: `walnut${number}`,
      investigated: "",
      learned: "",
      completed: "",
      nextSteps: "",
      notes: "",
      ...files,
    },
    nextByte: 0,
  };
}

test("the turns of a transaction are written to the word index together", () => {
  const store = openStore(join(folder, "x.db"), () => 0);
  const from = { host: "claude-code", path: join(folder, "s1.jsonl"), sessionId: "s1", mtime: 0 };
  const kept = store.db.transaction(() =>
    [1, 2, 3].map((number) => importTurn(store, makeTurn(number), from, () => 0).outcome),
  );
  expect(kept).toEqual(["stored", "stored", "stored"]);
  expect(store.summaries.ofTurns("s1")).toHaveLength(3);
  expect(store.sessions.byId("s1")?.lastEventAt).toBe(3500);
  // The index writes a segment each time a statement opens a savepoint, and at the end of the transaction.
  expect(store.db.get("SELECT count(DISTINCT segid) AS n FROM memory_fts_idx")).toEqual({ n: 1 });
  store.close();
});

test("a turn whose transcript names no prompt is recognised by its text, in hosts that write such turns", () => {
  const outcomes = ["codex", "copilot", "claude-code"].map((host) => {
    const store = openStore(join(folder, `${host}.db`), () => 0);
    const from = { host, path: join(folder, "s1.jsonl"), sessionId: "s1", mtime: 0 };
    const keep = (turn: DistilledTurn): string =>
      store.db.transaction(() => importTurn(store, turn, from, () => 0).outcome);
    const stored = makeTurn(1);
    const unnamed = { ...stored, promptId: null, key: "other", startedAt: stored.startedAt + 100 };
    const outcome = [keep(stored), keep(unnamed)];
    store.close();
    return [host, ...outcome];
  });
  expect(outcomes).toEqual([
    ["codex", "stored", "known"],
    ["copilot", "stored", "known"],
    ["claude-code", "stored", "stored"],
  ]);
});
