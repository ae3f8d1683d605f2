import { backoffMs } from "../../shared/backoff.ts";
import { type Clock, monotonicClock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Channel, ChannelError, ChannelHealth } from "../channel.ts";
import { makeDestination } from "./destination.ts";
import { makeKnownCards } from "../known-cards.ts";
import { openReplyPoller } from "./reply-poller.ts";
import { openPeople } from "./people.ts";
import { makePoster } from "./poster.ts";
import { makeReceiver, type Receiver } from "./receiver.ts";
import { openSocket, type Socket } from "./socket.ts";
import { openThreads } from "./threads.ts";
import { openWeb } from "./web.ts";
import { isSetupError, isTokenError } from "./errors.ts";

export interface SlackOptions {
  botToken: string;
  /** Without it there are no buttons, and replies are polled. */
  appToken: string | undefined;
  apiUrl: string;
  /** The channel to post to; if empty, the direct message with `user`. */
  channel: string;
  user: string;
  log: Log;
  clock: Clock;
  /** Polling intervals; shorter in tests. */
  pollMs?: { first: number; max: number };
}

/** Timeout of one call; the outbox retries failed posts. */
const timeoutMs = 10_000;
const checkBackoff = { firstMs: 1_000, maxMs: 60_000 };

export function openSlackChannel(options: SlackOptions): Channel {
  const { botToken, appToken, apiUrl, log, clock } = options;
  const hasSocket = appToken !== undefined;
  const health = makeHealth();
  const web = openWeb({ token: botToken, apiUrl, timeoutMs, onOutcome: health.report });
  const people = openPeople(web, monotonicClock);
  const cards = makeKnownCards();
  const destination = makeDestination(options, web, people);
  const poster = makePoster({ web, log, clock: monotonicClock, isInteractive: hasSocket, destination });
  const threads = openThreads(web, async (channel, message) =>
    receiver?.handleMessage(channel, message, false),
  );
  const { pollMs = { first: 3_000, max: 15_000 } } = options;
  const replyPoller = openReplyPoller({ threads, destination, hasSocket, pollMs, log, clock });
  const pending = new Set<Promise<void>>();
  let receiver: Receiver | undefined;
  let socket: Socket | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;

  /** Checks the token at start, so that an invalid one is noticed before the first question. */
  async function checkToken(failures = 0): Promise<void> {
    try {
      await web.run("auth.test", (client) => client.auth.test());
      if (!hasSocket) health.socket("ready");
    } catch (error) {
      if (isStopped) return;
      log.warn("slack: auth.test failed", { message: (error as Error).message });
      const pauseMs = backoffMs(failures + 1, checkBackoff, {
        retryAfterMs: (error as ChannelError).afterMs,
      });
      retry = setTimeout(() => void checkToken(failures + 1), pauseMs);
    }
  }

  function track(work: Promise<void>): void {
    pending.add(work);
    void work.finally(() => pending.delete(work));
  }

  return {
    name: "slack",
    canAnswer: true,
    settle: poster.settle,
    notify: poster.notify,
    health: health.view,
    start(inbox) {
      const started = makeReceiver({
        web,
        people,
        cards,
        inbox,
        log,
        clock,
        isInteractive: hasSocket,
        expectsCodeIn: replyPoller.expectsCodeIn,
      });
      receiver = started;
      void checkToken();
      if (appToken === undefined) return;
      socket = openSocket({
        appToken,
        apiUrl,
        timeoutMs,
        log,
        onEnvelope: (envelope) => track(started.handleEnvelope(envelope)),
        onReady() {
          health.socket("ready");
          replyPoller.catchUp();
        },
        onLost: () => health.socket("connecting"),
        onFailure: health.socket,
      });
      socket.start();
    },
    async stop() {
      isStopped = true;
      clearTimeout(retry);
      replyPoller.stop();
      await socket?.stop();
      web.stop();
      await Promise.all(pending);
    },
    async post(card, key) {
      const place = await poster.post(card, key);
      cards.add(place, card);
      return place;
    },
    watch(open) {
      for (const { place, card } of open) cards.add(place, card);
      replyPoller.watch(open);
    },
    expectCode: replyPoller.expectCode,
  };
}

/** The channel's health, derived from the latest result of each API method and the state of the socket. */
interface Health {
  /** Records a call's success, or its error. */
  report(method: string, error?: ChannelError): void;
  socket(state: "connecting" | "ready" | ChannelError): void;
  view(): ChannelHealth;
}

function makeHealth(): Health {
  const failed = new Map<string, ChannelError>();
  let socket: "connecting" | "ready" | ChannelError = "connecting";

  return {
    report(method, error) {
      if (error && (error.retry === "later" || isSetupError(error))) {
        failed.set(method, error);
        return;
      }
      failed.delete(method);
      // Slack is reachable and accepts the token, so earlier failures for those reasons no longer count.
      for (const [name, earlier] of failed)
        if (earlier.retry === "later" || isTokenError(earlier)) failed.delete(name);
    },
    socket(state) {
      socket = state;
    },
    view() {
      const errors = [...failed.values(), ...(typeof socket === "string" ? [] : [socket])];
      const permanent = errors.find(({ retry }) => retry === "never");
      if (permanent) return { state: "misconfigured", detail: permanent.message };
      if (errors[0]) return { state: "failing", detail: errors[0].message };
      return { state: socket === "ready" ? "ready" : "connecting", detail: "" };
    },
  };
}
