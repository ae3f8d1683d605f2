import { expect, test } from "vitest";
import { silentLog } from "../../shared/log.ts";
import { openStore } from "../../store/open-store.ts";
import type { Deliveries } from "../delivery/deliveries.ts";
import { openBus } from "../runtime/bus.ts";
import { openHumanAsks } from "./human-asks.ts";
import { openQuestionBook } from "./question-book.ts";

test("an answer that could not be queued is not marked as handed over", () => {
  const store = openStore(":memory:", () => 1_000);
  const agent = { id: "a1", name: "api-rook", project: "/api", projectName: "api", seat: 0, createdAt: 0 };
  store.agents.insert(agent);
  const bus = openBus(silentLog, 1_000);
  const clock = (): number => 1_000;
  const book = openQuestionBook({ store, bus, log: silentLog, clock });
  const full = {
    queue() {
      throw new Error("database or disk is full");
    },
  } as Partial<Deliveries> as Deliveries;
  const asks = openHumanAsks({
    store,
    book,
    bus,
    deliveries: full,
    log: silentLog,
    clock,
    owner: "ada",
    waitSeconds: 60,
  });
  asks.start();
  const party = { project: "/api", projectName: "api", agentId: "a1", agent: "api-rook", sessionId: null };
  const ask = { question: "Which?", options: [], multi: false, urgency: "normal", wait: false } as const;
  const { row } = asks.ask(party, { ...ask, options: [] });
  try {
    book.close(row.id, { state: "expired", verdict: null, answer: null, answerer: null, note: null });
  } catch {
    // The listener's error, if the book passes it on.
  }
  asks.stop();
  expect(store.questions.listUndelivered().map(({ id }) => id)).toEqual([row.id]);
});
