import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import { type Channel, ChannelError, type OpenCard, type Place } from "../channel.ts";
import { isAboutSetup } from "./errors.ts";
import { makeHealth } from "./health.ts";
import { makeKnownCards } from "./known-cards.ts";
import { openPeople } from "./people.ts";
import { openPolling } from "./polling.ts";
import { makePosting } from "./posting.ts";
import { makeReceiving, type Receiving } from "./receiving.ts";
import { openSocket, type Socket } from "./socket.ts";
import { openThreads } from "./threads.ts";
import { openWeb } from "./web.ts";

export interface SlackOptions {
  botToken: string;
  /** Without it nothing can be pressed, and replies are asked for instead of told. */
  appToken: string | undefined;
  apiUrl: string;
  /** A channel to write to; else the direct message with `user`. */
  channel: string;
  user: string;
  log: Log;
  clock: Clock;
  /** Shorter in tests. */
  pollMs?: { first: number; longest: number };
}

/** One call to Slack; posting is tried again by whoever posts. */
const timeoutMs = 10_000;
/** Slack's clock may be behind ours. */
const skewMs = 60_000;
/** So many threads are looked at in one round: Slack allows about fifty calls a minute. */
const threadsPerRound = 10;

export function openSlackChannel(options: SlackOptions): Channel {
  const { botToken, appToken, apiUrl, log, clock } = options;
  const { first, longest } = options.pollMs ?? { first: 3_000, longest: 15_000 };
  const health = makeHealth();
  const web = openWeb({ token: botToken, apiUrl, timeoutMs, onOutcome: health.report });
  const people = openPeople(web, clock);
  const cards = makeKnownCards();
  const isInteractive = appToken !== undefined;
  const posting = makePosting({ web, log, clock, isInteractive, destination });
  const underWay = new Set<Promise<void>>();
  let receiving: Receiving | undefined;
  let socket: Socket | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;
  let open: readonly OpenCard[] | undefined;
  /** Threads to look at: all that are open, again and again, or those in which something may have been missed. */
  let due: Place[] = [];
  let listenTo = 0;
  let listenSince = 0;
  let direct: string | undefined;

  const threads = openThreads(web, async (channel, message) =>
    receiving?.takeMessage(channel, message, false),
  );
  const polling = openPolling({
    isNeeded: () => due.length > 0 || (!isInteractive && (open?.length ?? 0) > 0) || isListening(),
    round,
    log,
    firstMs: first,
    longestMs: longest,
  });

  const isListening = (): boolean => !isInteractive && clock() < listenTo;

  async function round(): Promise<boolean> {
    if (due.length === 0 && !isInteractive) lookAtAll();
    let hasNews = false;
    for (const place of due.slice(0, threadsPerRound)) {
      hasNews = (await look(place)) || hasNews;
      due = due.filter((other) => other !== place);
    }
    if (isListening()) hasNews = (await threads.readDirect(await destination(), listenSince)) || hasNews;
    return hasNews || (isInteractive && due.length > 0);
  }

  /** A card that somebody deleted must not keep us from the others. */
  async function look(place: Place): Promise<boolean> {
    try {
      return await threads.read(place);
    } catch (error) {
      if ((error as ChannelError).retry === "later" || isAboutSetup(error as ChannelError)) throw error;
      return false;
    }
  }

  function lookAtAll(): void {
    due = (open ?? []).map(({ place }) => place);
  }

  async function destination(): Promise<string> {
    const to = options.channel || options.user;
    if (!to)
      throw new ChannelError("never", "There is nobody to write to: run `rookery setup slack --user NAME`.");
    if (/^[UW]/.test(to)) {
      direct ??= (await web.run("conversations.open", (client) => client.conversations.open({ users: to })))
        .channel?.id;
      if (direct) return direct;
      throw new ChannelError("later", "Slack opened no direct message.");
    }
    if (!to.startsWith("D") && (await people.isShared(to)))
      throw new ChannelError(
        "never",
        `The channel ${to} is shared with another organisation: choose another with \`rookery setup slack --channel ID\`.`,
      );
    return to;
  }

  /** Whether the token is good shows at once, not when the first question goes out. */
  async function greet(failures = 0): Promise<void> {
    try {
      await web.run("auth.test", (client) => client.auth.test());
      if (!isInteractive) health.socket("ready");
    } catch (error) {
      if (isStopped) return;
      log.warn("slack: no answer to our greeting", { message: (error as Error).message });
      const waitMs = Math.max((error as ChannelError).afterMs, Math.min(1_000 * 2 ** failures, 60_000));
      retry = setTimeout(() => void greet(failures + 1), waitMs);
    }
  }

  function track(work: Promise<void>): void {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  }

  return {
    name: "slack",
    canAnswer: true,
    ...{ settle: posting.settle, notify: posting.notify, health: health.view },
    start(inbox) {
      const taking = makeReceiving({ web, people, cards, inbox, log, clock });
      receiving = taking;
      void greet();
      if (appToken === undefined) return;
      socket = openSocket({
        ...{ appToken, apiUrl, timeoutMs, log },
        onEnvelope: (envelope) => track(taking.take(envelope)),
        onReady() {
          health.socket("ready");
          lookAtAll();
          polling.wake(0);
        },
        onLost: () => health.socket("connecting"),
        onTrouble: health.socket,
      });
      socket.start();
    },
    async stop() {
      isStopped = true;
      clearTimeout(retry);
      polling.stop();
      await socket?.stop();
      web.stop();
      await Promise.all(underWay);
    },
    async post(card, key) {
      const place = await posting.post(card, key);
      cards.add(place, card);
      return place;
    },
    watch(now) {
      const isFirst = open === undefined;
      open = now;
      for (const { place, card } of now) cards.add(place, card);
      const places = new Set(now.map(({ place }) => place));
      due = due.filter((place) => places.has(place));
      threads.forget((place) => place.includes(":") && !places.has(place));
      if (isFirst) lookAtAll();
      polling.wake(isFirst ? 0 : first);
    },
    expectCode(until) {
      listenSince = clock() - skewMs;
      listenTo = Math.max(listenTo, until);
      polling.wake(0);
    },
  };
}
