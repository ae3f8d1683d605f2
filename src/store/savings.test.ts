import { expect, test } from "vitest";
import { openStore } from "./open-store.ts";
import { countSavings } from "./savings.ts";

const day = 24 * 3600_000;
const now = Date.UTC(2026, 10, 15, 12);

test("sums injected tokens; only notes given in full save tokens, and savings are never negative", () => {
  const store = openStore(":memory:", () => now);
  const lists = { facts: [], concepts: [], filesRead: [], filesModified: [] };
  const place = { worktree: null, sessionId: null, turnId: null, promptNumber: null };
  store.projects.insert({
    id: "p",
    path: "/p",
    name: "p",
    fingerprint: null,
    mode: "on",
    leases: "warn",
    createdAt: now,
  });
  store.agents.insert({ id: "a", name: "p-rook", project: "/p", projectName: "p", seat: 1, createdAt: now });
  store.sessions.insert({
    ...{
      id: "s",
      agentId: "a",
      host: "claude-code",
      project: "/p",
      cwd: "/p",
      transcriptPath: null,
      hostPid: null,
      pidStarted: null,
    },
    source: "startup",
    model: null,
    title: null,
    branch: null,
    status: "active",
    statusAt: now,
    endReason: null,
    startedAt: now,
    lastEventAt: now,
  });
  store.events.insert({
    id: "long",
    event: "tool.after",
    sessionId: "s",
    turnId: null,
    subagentId: null,
    toolName: "Read",
    toolKind: "read",
    filePath: null,
    ...{
      toolUseId: "t",
      payload: "x".repeat(4_000),
      bytes: 4_000,
      via: "hook",
      occurredAt: now,
      storedAt: now,
    },
  });
  for (const [id, sourceEvents] of [
    ["dear", ["long"]],
    ["cheap", ["never stored"]],
  ] as const)
    store.notes.insert({
      ...lists,
      ...place,
      id,
      projectId: "p",
      type: "discovery",
      title: id,
      narrative: id,
      hash: id,
      ...{
        sourceEvents: [...sourceEvents],
        tokens: 50,
        provenance: "distil",
        createdAt: now,
        updatedAt: now,
        supersededBy: null,
        supersededBecause: null,
        author: null,
        byMachine: false,
        worth: null,
        pinnedAt: null,
      },
    });
  const inject = (ref: string, point: string, tokens: number, at: number, kind = "observation"): void =>
    store.injections.put({
      sessionId: "s",
      kind,
      ref,
      point,
      reason: "",
      score: null,
      tokens,
      eventId: "e",
      at,
    });
  inject("dear", "session.started", 30, now);
  inject("cheap", "session.started", 30, now);
  inject("dear", "prompt", 60, now);
  inject("cheap", "prompt", 60, now - day);
  inject("src/a.ts", "tool.before", 40, now - day, "file");
  inject("dear", "tool.before", 0, now - 9 * day);

  expect(countSavings(store.db, { from: now - 7 * day, timeZone: "UTC" })).toEqual({
    days: [
      { day: "2026-11-14", injected: 100, saved: 0 },
      { day: "2026-11-15", injected: 120, saved: 940 },
    ],
    injected: 220,
    saved: 940,
    indexRows: 2,
    recalled: 2,
  });
  store.close();
});
