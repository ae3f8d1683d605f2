import type { WebClient } from "@slack/web-api";
import type { ChannelError } from "../channel.ts";
import { toChannelError } from "./errors.ts";

export interface WebOptions {
  token: string;
  apiUrl: string;
  timeoutMs: number;
  /** Told how every call went. */
  onOutcome?(method: string, error?: ChannelError): void;
}

/** Slack's Web API. One try per call: whoever calls decides about another, and 429 is an answer like others. */
export interface Web {
  /** Throws `ChannelError`. The method's name is for the record of how it goes. */
  run<T>(method: string, act: (client: WebClient) => Promise<T>): Promise<T>;
  /** Ends what is under way. */
  stop(): void;
}

/** The SDK is loaded at the first call: a daemon without Slack never pays for it. */
export function openWeb(options: WebOptions): Web {
  const { token, apiUrl, timeoutMs } = options;
  const stopped = new AbortController();
  let client: Promise<WebClient> | undefined;

  async function load(): Promise<WebClient> {
    const { WebClient } = await import("./sdk-web.ts");
    return new WebClient(token, {
      slackApiUrl: apiUrl,
      timeout: timeoutMs,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logger: silent,
      fetch: abortable(stopped.signal),
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

/** A fetch that also ends when we do. */
export function abortable(signal: AbortSignal): typeof fetch {
  return (url, init) => {
    const signals = init?.signal ? [init.signal, signal] : [signal];
    return fetch(url, { ...init, signal: AbortSignal.any(signals) });
  };
}

/** The SDK logs payloads: what is worth a line we say ourselves. */
export const silent = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  setName() {},
  getLevel: () => "error" as never,
};
