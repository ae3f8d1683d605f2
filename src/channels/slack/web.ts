import type { WebClient } from "@slack/web-api";
import type { ChannelError } from "../channel.ts";
import { toChannelError } from "./errors.ts";

interface WebOptions {
  token: string;
  apiUrl: string;
  timeoutMs: number;
  /** Called after every call. */
  onOutcome?(method: string, error?: ChannelError): void;
}

/** Slack's Web API without retries, even after a 429: the caller decides whether to retry. */
export interface Web {
  /** Throws `ChannelError`. `method` is only used for health reports. */
  run<T>(method: string, act: (client: WebClient) => Promise<T>): Promise<T>;
  /** Aborts pending calls. */
  stop(): void;
}

/** Loads the SDK on the first call, so that a daemon without Slack never loads it. */
export function openWeb(options: WebOptions): Web {
  const { token, apiUrl, timeoutMs } = options;
  const stopped = new AbortController();
  let client: Promise<WebClient> | undefined;

  async function load(): Promise<WebClient> {
    const { WebClient } = await import("./sdk.ts");
    return new WebClient(token, {
      slackApiUrl: apiUrl,
      timeout: timeoutMs,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logger: silentLogger,
      fetch: makeAbortableFetch(stopped.signal),
    });
  }

  return {
    async run(method, act) {
      client ??= load();
      try {
        const result = await act(await client);
        options.onOutcome?.(method);
        return result;
      } catch (thrown) {
        const error = toChannelError(thrown);
        options.onOutcome?.(method, error);
        throw error;
      }
    },
    stop: () => stopped.abort(),
  };
}

/** A fetch that is also aborted by this signal. */
export function makeAbortableFetch(signal: AbortSignal): typeof fetch {
  return (url, init) => {
    const signals = init?.signal ? [init.signal, signal] : [signal];
    return fetch(url, { ...init, signal: AbortSignal.any(signals) });
  };
}

/** Turns off the SDK's logging, because it logs payloads. */
export const silentLogger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  setName() {},
  getLevel: () => "error" as never,
};
