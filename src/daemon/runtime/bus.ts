import type { BusEvent } from "../../protocol/bus-events.ts";
import type { Log } from "../../shared/log.ts";

interface PublishedEvent {
  seq: number;
  event: BusEvent;
}

/** Announces committed facts. Keeps the last few so that an SSE client can resume after a gap. */
export interface Bus {
  publish(event: BusEvent): void;
  subscribe(listener: (published: PublishedEvent) => void): () => void;
  since(seq: number): PublishedEvent[];
  /** Removes events that must not be replayed to a resuming client. */
  drop(isGone: (event: BusEvent) => boolean): void;
}

const remembered = 512;

/**
 * Sequence numbers start at the current time, so that they grow across restarts and a client of the last daemon misses
 * no event of this one.
 */
export function openBus(log: Log, startedAt: number): Bus {
  const listeners = new Set<(published: PublishedEvent) => void>();
  let recent: PublishedEvent[] = [];
  let seq = startedAt * 1000;
  return {
    publish(event) {
      const published = { seq: ++seq, event };
      recent.push(published);
      if (recent.length > remembered) recent.shift();
      for (const listener of listeners) {
        try {
          listener(published);
        } catch (error) {
          log.error("a listener failed", { event: event.type, error });
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    drop(isGone) {
      recent = recent.filter(({ event }) => !isGone(event));
    },
    since: (after) => recent.filter((published) => published.seq > after),
  };
}
