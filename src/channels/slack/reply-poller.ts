import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { ChannelError, OpenCard, MessageRef } from "../channel.ts";
import type { Destination } from "./destination.ts";
import { isSetupError } from "./errors.ts";
import { openPollTimer } from "./poll-timer.ts";
import type { Threads } from "./threads.ts";

interface ReplyPollerOptions {
  threads: Threads;
  destination: Destination;
  /** With a socket, threads are only read to catch up after a gap; without one they are polled. */
  hasSocket: boolean;
  pollMs: { first: number; max: number };
  log: Log;
  clock: Clock;
}

/** Fetches replies that are not pushed over a socket. */
interface ReplyPoller {
  watch(open: readonly OpenCard[]): void;
  /** Reads every open thread after a gap in the connection. */
  catchUp(): void;
  expectCode(until: number): void;
  /** True while a pairing code may arrive in this conversation. */
  expectsCodeIn(channel: string): boolean;
  stop(): void;
}

/** Threads to read per round; Slack allows about fifty calls a minute. */
const threadsPerRound = 10;
/** Tolerance, because Slack's clock may be behind ours. */
const skewMs = 60_000;

export function openReplyPoller(options: ReplyPollerOptions): ReplyPoller {
  const { threads, destination, hasSocket, pollMs, log, clock } = options;
  let open: readonly OpenCard[] | undefined;
  let due: MessageRef[] = [];
  let code = { since: 0, until: 0 };

  const isCodeExpected = (): boolean => clock() < code.until;
  const isCodePolled = (): boolean => !hasSocket && isCodeExpected();
  const polling = openPollTimer({
    isNeeded: () => due.length > 0 || (!hasSocket && (open ?? []).length > 0) || isCodePolled(),
    round,
    log,
    firstMs: pollMs.first,
    maxMs: pollMs.max,
  });

  async function round(): Promise<boolean> {
    if (due.length === 0 && !hasSocket) queueAll();
    let hasNew = false;
    for (const place of due.slice(0, threadsPerRound)) {
      hasNew = (await read(place)) || hasNew;
      due = due.filter((other) => other !== place);
    }
    for (const channel of isCodePolled() ? await destination.findAll() : [])
      hasNew = (await threads.readHistory(channel, code.since)) || hasNew;
    return hasNew || (hasSocket && due.length > 0);
  }

  /** A deleted card must not block the other threads. */
  async function read(place: MessageRef): Promise<boolean> {
    try {
      return await threads.read(place);
    } catch (error) {
      if ((error as ChannelError).retry === "later" || isSetupError(error as ChannelError)) throw error;
      return false;
    }
  }

  function queueAll(): void {
    due = (open ?? []).map(({ place }) => place);
  }

  return {
    watch(cards) {
      const isFirst = open === undefined;
      open = cards;
      const places = new Set(cards.map(({ place }) => place));
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
    expectsCodeIn: (channel) => isCodeExpected() && channel === destination.channel,
    stop: polling.stop,
  };
}
