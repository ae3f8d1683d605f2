import type { SocketModeClient } from "@slack/socket-mode";
import { backoffMs } from "../../shared/backoff.ts";
import type { Log } from "../../shared/log.ts";
import { ChannelError } from "../channel.ts";
import { toAppTokenError } from "./errors.ts";
import { makeAbortableFetch, silentLogger } from "./web.ts";

export interface Envelope {
  type: string;
  body: unknown;
  /** Acknowledges it. Never throws: on a lost connection Slack redelivers it, or the person sees the press fail. */
  ack(response?: Record<string, unknown>): Promise<void>;
}

interface SocketOptions {
  appToken: string;
  apiUrl: string;
  timeoutMs: number;
  log: Log;
  onEnvelope(envelope: Envelope): void;
  /** Connected, initially or again: replies sent in the meantime have to be fetched. */
  onReady(): void;
  onLost(): void;
  /** Connecting failed; it is retried. */
  onFailure(error: ChannelError): void;
}

/** The Socket Mode connection of this app; reconnects until it is stopped. */
export interface Socket {
  start(): void;
  stop(): Promise<void>;
}

const backoff = { firstMs: 1_000, maxMs: 30_000 };
const stableMs = 10_000;
/** Retry interval if only a person can fix the problem. */
const misconfiguredRetryMs = 60_000;

/**
 * Reconnects without the SDK's help: its own reconnect gives up after one failed request, with a rejection that cannot
 * be caught, and does not report its state.
 */
export function openSocket(options: SocketOptions): Socket {
  const { log, timeoutMs } = options;
  let connection: Connection | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let isStopped = false;

  async function connect(): Promise<void> {
    try {
      connection = await makeConnection(options);
      if (isStopped) return;
      await withTimeout(timeoutMs, connection.client.start());
      const since = performance.now();
      connection.client.once("disconnected", () => {
        if (isStopped) return;
        options.onLost();
        // Slack closes connections every few hours, which is normal; one that breaks early counts as a failure.
        failures = performance.now() - since > stableMs ? 0 : failures + 1;
        retry(failures === 0 ? 0 : backoffMs(failures, backoff, { random: Math.random() }));
      });
      options.onReady();
    } catch (thrown) {
      const error = toAppTokenError(thrown ?? new Error("connection closed before it was ready"));
      failures++;
      if (connection) void disconnect(connection);
      if (isStopped) return;
      log.warn("slack: could not open the socket", { message: error.message });
      options.onFailure(error);
      const retryAfterMs = error.afterMs;
      retry(
        error.retry === "never"
          ? misconfiguredRetryMs
          : backoffMs(failures, backoff, { retryAfterMs, random: Math.random() }),
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
      if (connection) await disconnect(connection);
    },
  };
}

/** One connection. The SDK cannot be stopped while it requests the socket URL, so `request` aborts that call. */
interface Connection {
  client: SocketModeClient;
  request: AbortController;
}

async function makeConnection(options: SocketOptions): Promise<Connection> {
  const { SocketModeClient } = await import("./sdk.ts");
  const { appToken, apiUrl, timeoutMs } = options;
  const request = new AbortController();
  const client = new SocketModeClient({
    appToken,
    autoReconnectEnabled: false,
    logger: silentLogger,
    // A ping every ten seconds is enough for a connection that is always open.
    clientPingTimeout: 30_000,
    serverPingTimeout: 60_000,
    clientOptions: {
      slackApiUrl: apiUrl,
      timeout: timeoutMs,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      fetch: makeAbortableFetch(request.signal),
    },
  });
  client.on("slack_event", ({ type, body, ack }: SlackEvent) => {
    options.onEnvelope({
      type,
      body,
      ack: (response) =>
        ack(response).catch((error: Error) =>
          options.log.debug("slack: could not acknowledge", { message: error.message }),
        ),
    });
  });
  return { client, request };
}

interface SlackEvent {
  type: string;
  body: unknown;
  ack(response?: Record<string, unknown>): Promise<void>;
}

/** Waits briefly for the peer's close frame; the second call makes the SDK drop the connection. */
async function disconnect({ client, request }: Connection): Promise<void> {
  client.removeAllListeners("slack_event");
  request.abort();
  await withTimeout(500, client.disconnect()).catch(() => client.disconnect());
}

async function withTimeout<T>(ms: number, act: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ChannelError("later", `Slack did not answer within ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([act, late]);
  } finally {
    clearTimeout(timer);
  }
}
