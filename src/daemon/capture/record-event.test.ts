import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { makeExclusion } from "../../domain/capture/exclude.ts";
import { prepareEvent } from "../../domain/capture/prepare-event.ts";
import { openStore, type Store } from "../../store/open-store.ts";
import { claudeCode } from "../../hosts/claude-code/claude-code.ts";
import { recordEvent } from "./record-event.ts";

const cwd = tmpdir();

interface Step {
  event: string;
  at: number;
  id?: string;
  pid?: number;
  [field: string]: unknown;
}

function record(store: Store, { event, at, id = `${event}-${at}`, pid, ...fields }: Step) {
  const raw = new TextEncoder().encode(JSON.stringify({ session_id: "s", cwd, ...fields }));
  const prepared = prepareEvent(raw, event, claudeCode, { fieldLimit: 64_000, exclusion: makeExclusion([]) });
  return store.db.transaction(() =>
    recordEvent(store, { id, host: undefined, hostPid: pid, occurredAt: at, via: "spool", prepared }, at),
  );
}

const openMemory = (): Store => openStore(":memory:", () => 0);

/** Everything observable; turn numbers follow the order of arrival and are left out. */
function look(store: Store, id = "s") {
  const session = store.sessions.byId(id);
  const { source, status, endReason, startedAt, lastEventAt } = session ?? {};
  const turns = store.turns
    .ofSession(id)
    .map(({ promptId, originKind, outcome, startedAt, endedAt, lastAssistantMessage }) => ({
      promptId,
      originKind,
      outcome,
      startedAt,
      endedAt,
      lastAssistantMessage,
    }))
    .toSorted((a, b) => a.startedAt - b.startedAt);
  const turnOf = new Map(store.turns.ofSession(id).map((turn) => [turn.id, turn.promptId]));
  const events = store.events
    .ofSession(id)
    .map(
      ({ event, occurredAt, turnId }) =>
        [`${event}@${occurredAt}`, event !== "session.ended" && turnId && turnOf.get(turnId)] as const,
    )
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    session: { source, status, endReason, startedAt, lastEventAt },
    turns,
    events,
    counts: store.sessions.counts(id),
  };
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

const wholeSession: Step[] = [
  { event: "SessionStart", at: 1_000, source: "startup" },
  { event: "UserPromptSubmit", at: 2_000, prompt_id: "p-1", prompt: "go" },
  { event: "PostToolUse", at: 3_000, prompt_id: "p-1", tool_use_id: "t-1", tool_name: "Bash" },
  { event: "Stop", at: 4_000, prompt_id: "p-1", last_assistant_message: "done" },
  { event: "UserPromptSubmit", at: 5_000, prompt_id: "p-2", prompt: "more" },
  { event: "SessionEnd", at: 6_000, reason: "prompt_input_exit" },
];

describe("events of one session", () => {
  test("give the same rows in any order", () => {
    const inOrder = openMemory();
    for (const step of wholeSession) record(inOrder, step);
    const expected = look(inOrder);
    expect(expected.session).toMatchObject({ status: "ended", endReason: "prompt_input_exit" });
    expect(expected.turns.map(({ outcome }) => outcome)).toEqual(["completed", "abandoned"]);
    const store = openMemory();
    const different = permutations(wholeSession).flatMap((order, n) => {
      const session_id = `s-${n}`;
      for (const step of order) record(store, { ...step, session_id, id: `${step.event}-${step.at}-${n}` });
      const seen = look(store, session_id);
      return JSON.stringify(seen) === JSON.stringify(expected)
        ? []
        : [{ order: order.map(({ event, at }) => `${event}@${at}`).join(" "), seen }];
    });
    expect(different.length, JSON.stringify(different[0], null, 1)).toBe(0);
  });

  test("a turn ended by Esc is interrupted, whatever the order of its events", () => {
    const steps: Step[] = [
      { event: "UserPromptSubmit", at: 1_000, prompt_id: "p-1", prompt: "go" },
      { event: "UserPromptSubmit", at: 2_000, prompt_id: "p-2", prompt: "no, this" },
      { event: "Stop", at: 3_000, prompt_id: "p-2" },
    ];
    for (const order of permutations(steps)) {
      const store = openMemory();
      for (const step of order) record(store, step);
      expect(
        look(store).turns.map(({ promptId, outcome, endedAt }) => [promptId, outcome, endedAt]),
        order.map(({ event, at }) => `${event}@${at}`).join(" "),
      ).toEqual([
        ["p-1", "interrupted", 2_000],
        ["p-2", "completed", 3_000],
      ]);
    }
  });

  test("change nothing the second time: the same id, or the same event of a tool use under another id", () => {
    const store = openMemory();
    for (const step of wholeSession) expect(record(store, step).isNew).toBe(true);
    const before = look(store);
    for (const step of wholeSession) expect(record(store, step).isNew).toBe(false);
    const again = { ...wholeSession[2], id: "other", at: 9_000 } as Step;
    expect(record(store, again)).toMatchObject({ isNew: false, busEvents: [] });
    expect(look(store)).toEqual(before);
  });

  test("a known id is recognised in any session", () => {
    const store = openMemory();
    record(store, { event: "Stop", at: 1, id: "e-1" });
    const { isNew, session } = record(store, { event: "Stop", at: 2, id: "e-1", session_id: "other" });
    expect(isNew).toBe(false);
    expect(session.id).toBe("s");
    expect(store.sessions.byId("other")).toBeUndefined();
  });

  test.each(["PostToolUse", "Stop", "Notification", "SessionEnd"] as const)(
    "creates the session if %s is its first event",
    (event) => {
      const store = openMemory();
      const { session, agent } = record(store, { event, at: 1, prompt_id: "p" });
      expect(session).toMatchObject({ id: "s", source: "unknown" });
      expect(agent.name).toMatch(/-rook$/);
    },
  );
});

describe("the identity of a process", () => {
  const start = (store: Store, sessionId: string, pid: number, at: number) =>
    record(store, { event: "SessionStart", at, id: `start-${sessionId}`, pid, session_id: sessionId });

  test("a recycled pid is not the same process", () => {
    const store = openMemory();
    const rook = start(store, "first", process.pid, 1);
    const jay = start(store, "second", process.ppid, 2);
    expect(jay.agent.name).not.toBe(rook.agent.name);
    for (const id of ["first", "second"])
      record(store, { event: "SessionEnd", at: 3, id: `end-${id}`, session_id: id, reason: "other" });
    const row = store.sessions.byId("second");
    if (!row) throw new Error("no session");

    store.sessions.update({ ...row, pidStarted: "1" }); // As an earlier process with this id would have left it.
    expect(start(store, "third", process.ppid, 4).agent.name).toBe(rook.agent.name);
  });

  test("the same process keeps its agent, even with a lower seat free", () => {
    const store = openMemory();
    start(store, "first", process.pid, 1);
    const jay = start(store, "second", process.ppid, 2);
    record(store, { event: "SessionEnd", at: 3, id: "e1", session_id: "first", reason: "other" });
    record(store, { event: "SessionEnd", at: 4, id: "e2", session_id: "second", reason: "clear" });
    expect(start(store, "third", process.ppid, 5).agent.name).toBe(jay.agent.name);
  });
});

describe("a start in a process that already has a session", () => {
  const home = "/home/ada";
  const status = (store: Store): unknown[] =>
    ["one", "two"].map((id) => {
      const { status, endReason } = store.sessions.byId(id) ?? {};
      return endReason ?? status;
    });
  const startBoth = (fieldsOf: (id: string) => Record<string, unknown>): Store => {
    const store = openMemory();
    for (const [at, id] of ["one", "two"].entries())
      record(store, {
        event: "SessionStart",
        at,
        id: `start-${id}`,
        pid: process.pid,
        session_id: id,
        ...fieldsOf(id),
      });
    return store;
  };

  test.each([
    ["Claude Code", (id: string) => ({ transcript_path: `${home}/.claude/projects/-x/${id}.jsonl` })],
    ["Claude Code elsewhere", (id: string) => ({ transcript_path: `/work/cc/projects/-x/${id}.jsonl` })],
    ["Qwen Code", (id: string) => ({ transcript_path: `${home}/.qwen/projects/-x/chats/${id}.jsonl` })],
  ])("ends the earlier session in %s: its process has one at a time", (_host, fieldsOf) => {
    expect(status(startBoth(fieldsOf))).toEqual(["replaced", "active"]);
  });

  test.each([
    [
      "Codex",
      (id: string) => ({ transcript_path: `${home}/.codex/sessions/2026/11/15/rollout-1-${id}.jsonl` }),
    ],
    ["Codex elsewhere", (id: string) => ({ transcript_path: `/work/cx/sessions/rollout-1-${id}.jsonl` })],
    ["Codex without a transcript", () => ({ transcript_path: null, turn_id: "t", model: "m" })],
    ["a host that is not known", () => ({ source: "startup" })],
  ])("leaves the earlier session alone in %s: its process may hold many", (_host, fieldsOf) => {
    expect(status(startBoth(fieldsOf))).toEqual(["active", "active"]);
  });

  test("leaves a session of another host alone", () => {
    const paths: Record<string, string> = {
      one: ".codex/sessions/rollout-1-one",
      two: ".claude/projects/-x/two",
    };
    expect(status(startBoth((id) => ({ transcript_path: `${home}/${paths[id]}.jsonl` })))).toEqual([
      "active",
      "active",
    ]);
  });
});
