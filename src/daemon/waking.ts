import type { Clock } from "../shared/clock.ts";
import type { Log } from "../shared/log.ts";
import type { Store } from "../store/open-store.ts";
import type { SessionRow } from "../store/sessions.ts";
import type { Bus } from "./bus.ts";
import { repeat } from "./repeat.ts";
import type { WakeBoard } from "./wake-board.ts";

export interface Waking {
  start(): void;
  stop(): void;
}

export interface WakingDeps {
  store: Store;
  bus: Bus;
  log: Log;
  wakeBoard: WakeBoard;
  clock: Clock;
  enabled: boolean;
}

/** A woken session submits a prompt within a second or two; silence means that the line was missed. */
const patienceMs = 30_000;
const mostTries = 3;
/** Esc ends a turn without an event: a turn that has been quiet this long is not trusted to be running. */
const quietTurnMs = 20_000;
const checkMs = 5_000;

/** Wakes idle sessions for which something is queued; a busy one gets it after its next tool call anyway. */
export function openWaking({ store, bus, log, wakeBoard, clock, enabled }: WakingDeps): Waking {
  const tries = new Map<string, { count: number; at: number }>();
  let unsubscribe = (): void => {};
  let timer: { stop(): void } | undefined;

  function isIdle(session: SessionRow): boolean {
    return store.turns.open(session.id) === undefined || clock() - session.lastEventAt > quietTurnMs;
  }

  function consider(session: SessionRow | undefined): void {
    if (!session || session.hostPid === null || !wakeBoard.isAsleep(session.hostPid) || !isIdle(session))
      return;
    const waiting = store.deliveries.openFor(session.agentId).filter((row) => row.state === "queued");
    const [first] = waiting;
    if (!first) return;
    const earlier = tries.get(first.id) ?? { count: 0, at: 0 };
    if (earlier.count >= mostTries || clock() - earlier.at < patienceMs) return;
    tries.set(first.id, { count: earlier.count + 1, at: clock() });
    // Only names that we gave: whatever else a sender calls itself would speak to the session unfenced.
    const senders = [
      ...new Set(waiting.map((row) => (store.agents.byName(row.sender) ? row.sender : "someone"))),
    ]
      .slice(0, 3)
      .join(", ");
    const count = waiting.length === 1 ? "1 message" : `${waiting.length} messages`;
    // No delivery id here: its trace in the transcript would pass for the delivery itself.
    wakeBoard.wake(
      session.hostPid,
      `Rookery: ${count} for you from ${senders}. The text comes with this notice.`,
    );
  }

  function considerAll(): void {
    for (const session of store.sessions.active()) consider(session);
  }

  return {
    start() {
      if (!enabled) return;
      wakeBoard.onRegistered((hostPid) => consider(store.sessions.latestOfPid(hostPid)));
      unsubscribe = bus.subscribe(({ event }) => {
        if (event.type === "turn.ended") consider(store.sessions.byId(event.sessionId));
        if (event.type === "delivery.queued") considerAll();
        if (event.type === "delivery.injected") tries.delete(event.deliveryId);
      });
      timer = repeat(checkMs, () => wakeBoard.count() > 0 && considerAll(), log);
    },
    stop() {
      unsubscribe();
      timer?.stop();
    },
  };
}
