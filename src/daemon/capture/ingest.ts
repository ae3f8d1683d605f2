import { isCorrupt, isStorageFull, makeStoreFull } from "../../sqlite/sqlite.ts";
import type { HookCounter } from "../runtime/hook-counter.ts";
import { hostFor } from "../../hosts/hosts.ts";
import { composeReply, type Contributor, type HookReply, noReply } from "./hook-reply.ts";
import { type IncomingEvent, type RecordedEvent, recordEvent } from "./record-event.ts";
import type { DaemonContext } from "../runtime/context.ts";

interface IngestResult {
  recorded: RecordedEvent;
  reply: HookReply;
}

/** Stores events in groups: many arrivals, one commit. A promise resolves only after its event is committed. */
export interface Ingest {
  submit(incoming: IncomingEvent, wantsReply: boolean): Promise<IngestResult>;
  /** The reply to a hook whose event was stored before it connected (swept from the spool at start). */
  replyToStored(eventId: string): HookReply;
  queueLength(): number;
  pauseReason(): string | undefined;
  /** Pauses capture after a failed write. The next successful write resumes it. */
  pause(error: Error): void;
  resume(): void;
}

interface IngestDeps extends Pick<DaemonContext, "store" | "bus" | "log" | "clock"> {
  contributors: readonly Contributor[];
  hookCounter: HookCounter;
}

interface QueuedEvent {
  incoming: IncomingEvent;
  wantsReply: boolean;
  resolve(ingested: IngestResult): void;
  reject(error: unknown): void;
}

/** Keeps one transaction under a few milliseconds, so that a hook never waits behind a long one. */
const groupSize = 64;
const maxHops = 8;

export function openIngest(deps: IngestDeps): Ingest {
  const { store, bus, log, clock, contributors, hookCounter } = deps;
  const queue: QueuedEvent[] = [];
  let scheduled = false;
  let pausedBecause: string | undefined;

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(gather, 0, 0);
  }

  /**
   * Waits while more events keep arriving or hooks have connected, so that under load one commit serves many. A lone event
   * does not wait.
   */
  function gather(seen: number, hops: number): void {
    const isGrowing = queue.length > Math.max(seen, 1) || hookCounter.countUnnamed() > 0;
    if (isGrowing && queue.length < groupSize && hops < maxHops) setImmediate(gather, queue.length, hops + 1);
    else flush();
  }

  function flush(): void {
    scheduled = false;
    const group = queue.splice(0, groupSize);
    hookCounter.add(-group.length);
    if (queue.length > 0) schedule();
    try {
      settle(
        group,
        store.db.transaction(() => group.map((waiting) => storeOne(waiting))),
      );
    } catch (error) {
      if (group.length === 1) fail(group[0] as QueuedEvent, error);
      else for (const waiting of group) retryAlone(waiting);
    }
  }

  /** Stores each event on its own, so that a bad one does not fail its group. */
  function retryAlone(waiting: QueuedEvent): void {
    try {
      settle(
        [waiting],
        store.db.transaction(() => [storeOne(waiting)]),
      );
    } catch (error) {
      fail(waiting, error);
    }
  }

  function storeOne({ incoming, wantsReply }: QueuedEvent): IngestResult {
    const nowMs = clock();
    const recorded = recordEvent(store, incoming, nowMs);
    return { recorded, reply: wantsReply ? reply(recorded, incoming, nowMs) : noReply };
  }

  function reply({ session, agent }: RecordedEvent, incoming: IncomingEvent, nowMs: number): HookReply {
    const { event, subagentId = null, toolKind, filePath } = incoming.prepared;
    const moment = { eventId: incoming.id, event, session, agent, subagentId, toolKind, filePath };
    return composeReply(contributors, moment, nowMs, hostFor(session.host));
  }

  /** Publishes bus events and resolves promises, only after the commit. */
  function settle(group: QueuedEvent[], results: IngestResult[]): void {
    resume();
    results.forEach((ingested, index) => {
      const waiting = group[index] as QueuedEvent;
      const { id, via, prepared } = waiting.incoming;
      const { isNew, session, agent } = ingested.recorded;
      log.info(isNew ? "event stored" : "event known", {
        id,
        event: prepared.event,
        via,
        session: session.id,
        agent: agent.name,
      });
      waiting.resolve(ingested);
      for (const event of [...ingested.recorded.busEvents, ...ingested.reply.busEvents]) bus.publish(event);
    });
  }

  function fail(waiting: QueuedEvent, error: unknown): void {
    const { id, prepared } = waiting.incoming;
    log.error("event not stored", { id, event: prepared.event, error });
    if (isStorageFull(error)) pause(error as Error);
    const full = isStorageFull(error) || isCorrupt(error);
    waiting.reject(full ? makeStoreFull(error) : error);
  }

  function pause(error: Error): void {
    if (pausedBecause) return;
    pausedBecause = error.message;
    log.error("capture paused: events wait in the spool", { error });
    bus.publish({ type: "health.changed", status: "paused", reason: error.message });
  }

  function resume(): void {
    if (!pausedBecause) return;
    pausedBecause = undefined;
    log.info("capture resumed");
    bus.publish({ type: "health.changed", status: "ok", reason: "writing works again" });
  }

  return {
    submit(incoming, wantsReply) {
      return new Promise((resolve, reject) => {
        queue.push({ incoming, wantsReply, resolve, reject });
        hookCounter.add(1);
        schedule();
      });
    },
    replyToStored(eventId) {
      const event = store.events.byId(eventId);
      const session = event && store.sessions.byId(event.sessionId);
      const agent = session && store.agents.byId(session.agentId);
      if (!event || !session || !agent) return noReply;
      const moment = {
        eventId,
        event: event.event,
        session,
        agent,
        subagentId: event.subagentId,
        toolKind: event.toolKind ?? undefined,
        filePath: event.filePath ?? undefined,
      };
      const reply = store.db.transaction(() =>
        composeReply(contributors, moment, clock(), hostFor(session.host)),
      );
      for (const event of reply.busEvents) bus.publish(event);
      return reply;
    },
    queueLength: () => queue.length,
    pauseReason: () => pausedBecause,
    pause,
    resume,
  };
}
