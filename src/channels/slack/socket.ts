import type { SocketModeClient } from "@slack/socket-mode";
import { backoffMs } from "../../shared/backoff.ts";
import type { Log } from "../../shared/log.ts";
import { ChannelError } from "../channel.ts";
import { toAppTokenError } from "./errors.ts";
import { abortable, silent } from "./web.ts";

export interface Envelope {
  type: string;
  body: unknown;
  /** Tells Slack that it is taken. Never throws: on a lost connection Slack sends it again, or the person sees it fail. */
  ack(response?: Record<string, unknown>): Promise<void>;
}

export interface SocketOptions {
  appToken: string;
  apiUrl: string;
  timeoutMs: number;
  log: Log;
  onEnvelope(envelope: Envelope): void;
  /** Connected, for the first time or again: what was said in between has to be looked for. */
  onReady(): void;
  onLost(): void;
  /** It could not be made; it will be tried again. */
  onTrouble(error: ChannelError): void;
}

/** The one Socket Mode connection of this app, kept up until it is stopped. */
export interface Socket {
  start(): void;
  stop(): Promise<void>;
}

const backoff = { firstMs: 1_000, maxMs: 30_000 };
const steadyMs = 10_000;
/** After a refusal that only a person can fix. */
const refusedWaitMs = 60_000;

/**
 * We reconnect ourselves: the SDK's own way gives up on the first failed request, with a rejection that nobody can
 * catch, and lets no one see how it goes.
 */
export function openSocket(options: SocketOptions): Socket {
  const { log, timeoutMs } = options;
  let line: Line | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let isStopped = false;

  async function connect(): Promise<void> {
    try {
      line = await makeLine(options);
      if (isStopped) return;
      await within(timeoutMs, line.client.start());
      const since = performance.now();
      line.client.once("disconnected", () => {
        if (isStopped) return;
        options.onLost();
        // Slack renews connections every few hours; one that breaks at once is another matter.
        failures = performance.now() - since > steadyMs ? 0 : failures + 1;
        retry(failures === 0 ? 0 : backoffMs(failures, backoff, { random: Math.random() }));
      });
      options.onReady();
    } catch (thrown) {
      const error = toAppTokenError(thrown ?? new Error("the connection was closed before it was ready"));
      failures++;
      if (line) void hangUp(line);
      if (isStopped) return;
      log.warn("slack: no socket", { message: error.message });
      options.onTrouble(error);
      const askedMs = error.afterMs;
      retry(
        error.retry === "never"
          ? refusedWaitMs
          : backoffMs(failures, backoff, { askedMs, random: Math.random() }),
      );
    }
  }

  function retry(afterMs: number): void {
    if (isStopped) return;
    clearTimeout(timer);
    timer = setTimeout(() => void connect(), afterMs);
  }

  return {
    start: () => void connect(),
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      if (line) await hangUp(line);
    },
  };
}

/** One connection. While its address is still asked for, the SDK cannot be stopped: the request can. */
interface Line {
  client: SocketModeClient;
  asking: AbortController;
}

async function makeLine(options: SocketOptions): Promise<Line> {
  const { SocketModeClient } = await import("./sdk-socket.ts");
  const { appToken, apiUrl, timeoutMs } = options;
  const asking = new AbortController();
  const client = new SocketModeClient({
    appToken,
    autoReconnectEnabled: false,
    logger: silent,
    // One ping in ten seconds: the connection is open day and night.
    clientPingTimeout: 30_000,
    serverPingTimeout: 60_000,
    clientOptions: {
      slackApiUrl: apiUrl,
      timeout: timeoutMs,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      fetch: abortable(asking.signal),
    },
  });
  client.on("slack_event", ({ type, body, ack }: SlackEvent) => {
    options.onEnvelope({
      type,
      body,
      ack: (response) =>
        ack(response).catch((error: Error) =>
          options.log.debug("slack: not acknowledged", { message: error.message }),
        ),
    });
  });
  return { client, asking };
}

interface SlackEvent {
  type: string;
  body: unknown;
  ack(response?: Record<string, unknown>): Promise<void>;
}

/** A peer that does not answer the farewell gets no second one: asked again, the SDK drops the connection. */
async function hangUp({ client, asking }: Line): Promise<void> {
  client.removeAllListeners("slack_event");
  asking.abort();
  await within(500, client.disconnect()).catch(() => client.disconnect());
}

async function within<T>(ms: number, act: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ChannelError("later", `Slack was silent for ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([act, late]);
  } finally {
    clearTimeout(timer);
  }
}
