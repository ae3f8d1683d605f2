import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { silentLog } from "../../shared/log.ts";
import { processStartMark } from "../../shared/processes.ts";
import { openStore } from "../../store/open-store.ts";
import type { SessionRow } from "../../store/sessions.ts";
import type { Deliveries } from "../delivery/deliveries.ts";
import { openBus } from "../runtime/bus.ts";
import { type Asker, openHumanAsks } from "./human-asks.ts";
import { openQuestionBook } from "./question-book.ts";

const agent = { id: "a1", name: "api-rook", project: "/api", projectName: "api", seat: 0, createdAt: 0 };
const session: SessionRow = {
  id: "s1",
  agentId: "a1",
  host: "claude-code",
  project: "/api",
  cwd: "/api",
  transcriptPath: null,
  hostPid: null,
  pidStarted: null,
  source: "startup",
  model: null,
  title: null,
  branch: null,
  status: "active",
  statusAt: 0,
  endReason: null,
  startedAt: 0,
  lastEventAt: 0,
};
const ask = { question: "Which?", options: [], multi: false, urgency: "normal", wait: false } as const;
const expired = { state: "expired", verdict: null, answer: null, answerer: null, note: null } as const;

function openAsks(queue: Deliveries["queue"], clock = (): number => 1_000) {
  const store = openStore(":memory:", clock);
  const bus = openBus(silentLog, 1_000);
  const book = openQuestionBook({ store, bus, log: silentLog, clock });
  const deliveries = { queue } as Partial<Deliveries> as Deliveries;
  const deps = { store, book, bus, deliveries, log: silentLog, clock, owner: "ada", waitSeconds: 60 };
  const asks = openHumanAsks(deps);
  asks.start();
  onTestFinished(asks.stop);
  return { store, book, asks };
}

test("an answer that could not be queued is not marked as handed over", () => {
  const { store, book, asks } = openAsks(() => {
    throw new Error("database or disk is full");
  });
  store.agents.insert(agent);
  const party = { project: "/api", projectName: "api", agentId: "a1", agent: "api-rook", sessionId: null };
  const { row } = asks.ask(party, { ...ask, options: [] });
  try {
    book.close(row.id, expired);
  } catch {
    // The listener's error, if the book passes it on.
  }
  expect(store.questions.listUndelivered().map(({ id }) => id)).toEqual([row.id]);
});

describe("a session that has sent no event yet", () => {
  const party = { project: "/api", projectName: "api", agentId: null, agent: "someone", sessionId: null };
  const host = { pid: process.pid, startMark: processStartMark(process.pid) };
  let nowMs = 1_000;

  beforeEach(() => {
    nowMs = 1_000;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  });
  afterEach(() => void vi.useRealTimers());

  function passTime(ms: number): void {
    nowMs += ms;
    vi.advanceTimersByTime(2_000);
  }

  function askUnknown(unknownHost: Asker["unknownHost"]) {
    const queued: string[] = [];
    const opened = openAsks(
      ({ to }) => queued.push(to) as never,
      () => nowMs,
    );
    const { row } = opened.asks.ask({ ...party, unknownHost }, { ...ask, options: [] });
    opened.book.close(row.id, expired);
    return { ...opened, queued, isOver: () => opened.store.questions.listUndelivered().length === 0 };
  }

  test("gets its answer after its first event", () => {
    const { store, queued, isOver } = askUnknown(host);
    passTime(60_000);
    expect(queued).toEqual([]);
    store.agents.insert(agent);
    store.sessions.insert({ ...session, hostPid: host.pid, pidStarted: host.startMark });
    passTime(1_000);
    expect(queued).toEqual(["api-rook"]);
    expect(isOver()).toBe(true);
  });

  test("gets no answer that another process with its id asked for", () => {
    const { store, queued } = askUnknown({ pid: process.pid, startMark: "earlier" });
    store.agents.insert(agent);
    store.sessions.insert({ ...session, hostPid: host.pid, pidStarted: host.startMark });
    passTime(60_000);
    expect(queued).toEqual([]);
  });

  test("is not waited for without end", () => {
    const { isOver } = askUnknown(host);
    expect(isOver()).toBe(false);
    passTime(3_600_000);
    expect(isOver()).toBe(true);
  });
});
