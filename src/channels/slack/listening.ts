import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { ChannelError, OpenCard, Place } from "../channel.ts";
import type { Destination } from "./destination.ts";
import { isAboutSetup } from "./errors.ts";
import { openPolling } from "./polling.ts";
import type { Threads } from "./threads.ts";

export interface ListeningOptions {
  threads: Threads;
  destination: Destination;
  /** With a socket, threads are read only where something may have been missed; without, again and again. */
  hasSocket: boolean;
  pollMs: { first: number; longest: number };
  log: Log;
  clock: Clock;
}

/** Reads what people wrote, where nobody tells us. */
export interface Listening {
  watch(open: readonly OpenCard[]): void;
  /** We were away: every open thread may hold something new. */
  catchUp(): void;
  expectCode(until: number): void;
  stop(): void;
}

/** So many threads are read in one round: Slack allows about fifty calls a minute. */
const threadsPerRound = 10;
/** Slack's clock may be behind ours. */
const skewMs = 60_000;

export function openListening(options: ListeningOptions): Listening {
  const { threads, destination, hasSocket, pollMs, log, clock } = options;
  let open: readonly OpenCard[] | undefined;
  let due: Place[] = [];
  let code = { since: 0, until: 0 };

  const isCodeExpected = (): boolean => !hasSocket && clock() < code.until;
  const polling = openPolling({
    isNeeded: () => due.length > 0 || (!hasSocket && (open ?? []).length > 0) || isCodeExpected(),
    round,
    log,
    firstMs: pollMs.first,
    longestMs: pollMs.longest,
  });

  async function round(): Promise<boolean> {
    if (due.length === 0 && !hasSocket) queueAll();
    let hasNews = false;
    for (const place of due.slice(0, threadsPerRound)) {
      hasNews = (await read(place)) || hasNews;
      due = due.filter((other) => other !== place);
    }
    const direct = isCodeExpected() ? await destination.findDirect() : undefined;
    if (direct) hasNews = (await threads.readDirect(direct, code.since)) || hasNews;
    return hasNews || (hasSocket && due.length > 0);
  }

  /** A card that somebody deleted must not keep us from the others. */
  async function read(place: Place): Promise<boolean> {
    try {
      return await threads.read(place);
    } catch (error) {
      if ((error as ChannelError).retry === "later" || isAboutSetup(error as ChannelError)) throw error;
      return false;
    }
  }

  function queueAll(): void {
    due = (open ?? []).map(({ place }) => place);
  }

  return {
    watch(now) {
      const isFirst = open === undefined;
      open = now;
      const places = new Set(now.map(({ place }) => place));
      due = due.filter((place) => places.has(place));
      threads.forget((place) => !places.has(place));
      if (isFirst) queueAll();
      polling.wake(isFirst ? 0 : pollMs.first);
    },
    catchUp() {
      queueAll();
      polling.wake(0);
    },
    expectCode(until) {
      code = { since: clock() - skewMs, until: Math.max(code.until, until) };
      polling.wake(0);
    },
    stop: polling.stop,
  };
}
