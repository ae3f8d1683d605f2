import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";
import type { Bus } from "../runtime/bus.ts";
import { isSameProcess } from "../../shared/processes.ts";
import { repeat } from "../runtime/repeat.ts";

interface SessionWatch {
  check(): void;
  start(): void;
  stop(): void;
}

const checkMs = 10_000;

/** Ends sessions whose host process has disappeared (kill -9, a closed laptop) without reporting an end. */
export function openSessionWatch(store: Store, bus: Bus, log: Log): SessionWatch {
  let timer: { stop(): void } | undefined;

  function check(): void {
    for (const session of store.sessions.active()) {
      if (session.hostPid === null || isSameProcess(session.hostPid, session.pidStarted)) continue;
      const turn = store.turns.findOpen(session.id);
      store.db.transaction(() => {
        if (turn) store.turns.update({ ...turn, outcome: "abandoned", endedAt: session.lastEventAt });
        // The time of its last event, not now: an end that is still in the spool is later and takes precedence.
        store.sessions.update({
          ...session,
          status: "ended",
          statusAt: session.lastEventAt,
          endReason: "gone",
        });
      });
      const agent = store.agents.byId(session.agentId)?.name ?? "";
      log.info("session gone", { session: session.id, agent });
      bus.publish({ type: "session.completed", sessionId: session.id, agent, reason: "gone" });
    }
  }

  return {
    check,
    start() {
      timer = repeat(checkMs, check, log);
    },
    stop: () => timer?.stop(),
  };
}
