import * as z from "zod";
import { tryParseJson } from "../../shared/json.ts";
import { ChannelError } from "../channel.ts";

/** A notification, as ntfy's JSON API takes it. */
export interface Notification {
  topic: string;
  title: string;
  message: string;
  /** 1 to 5. */
  priority: number;
  /** A later notification with the same id replaces this one. */
  sequence_id: string;
  actions?: Action[];
  /** The page that opens when the notification is tapped. */
  click?: string;
}

/** A button that makes the phone post a text. */
export interface Action {
  action: "http";
  label: string;
  url: string;
  method: "POST";
  body: string;
  /** Dismisses the notification after the press. */
  clear: true;
}

const event = z.looseObject({
  id: z.string(),
  time: z.number(),
  event: z.string(),
  message: z.string().optional(),
});
export type NtfyEvent = z.infer<typeof event>;

/** All calls throw `ChannelError`; none is retried. */
interface NtfyServer {
  publish(notification: Notification): Promise<void>;
  upload(topic: string, sequenceId: string, file: { name: string; text: string }): Promise<void>;
  /** Reads a topic until the connection ends: cached events since an id or a time, then new ones. */
  follow(
    topic: string,
    since: string | undefined,
    onEvent: (event: NtfyEvent) => Promise<void>,
  ): Promise<void>;
  /** Whether the topic may be read. */
  check(topic: string): Promise<void>;
  /** Aborts pending calls. */
  stop(): void;
}

interface NtfyServerOptions {
  url: string;
  token: string | undefined;
  timeoutMs: number;
}

/** The server sends a keepalive every 45 seconds. */
const silenceMs = 150_000;
const defaultRetryMs = 60_000;
const maxLine = 100_000;

export function openNtfyServer({ url, token, timeoutMs }: NtfyServerOptions): NtfyServer {
  const root = url.replace(/\/+$/, "");
  const stopped = new AbortController();

  async function request(path: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    const headers = new Headers(init.headers);
    if (token) headers.set("authorization", `Bearer ${token}`);
    let response: Response;
    try {
      response = await fetch(`${root}/${path}`, { ...init, headers, redirect: "error", signal });
    } catch (thrown) {
      throw toUnreachable(thrown);
    }
    if (response.ok) return response;
    await response.body?.cancel();
    throw toChannelError(response);
  }

  async function send(path: string, init: RequestInit): Promise<void> {
    const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(timeoutMs)]);
    await (await request(path, init, signal)).body?.cancel();
  }

  return {
    publish: (notification) =>
      send("", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(notification),
      }),
    upload: (topic, sequenceId, { name, text }) =>
      send(topic, {
        method: "PUT",
        headers: { filename: name, "x-sequence-id": sequenceId, priority: "2" },
        body: text,
      }),
    async follow(topic, since, onEvent) {
      const silence = new AbortController();
      const timer = setTimeout(() => silence.abort(), silenceMs);
      try {
        const query = since === undefined ? "" : `?since=${encodeURIComponent(since)}`;
        const signal = AbortSignal.any([stopped.signal, silence.signal]);
        const { body } = await request(`${topic}/json${query}`, {}, signal);
        for await (const line of readLines(body)) {
          timer.refresh();
          const { data } = event.safeParse(tryParseJson(line));
          if (data) await onEvent(data);
        }
      } finally {
        clearTimeout(timer);
      }
    },
    check: (topic) => send(`${topic}/json?poll=1&since=1s`, {}),
    stop: () => stopped.abort(),
  };
}

async function* readLines(body: Response["body"]): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  const chunks = (body ?? []) as AsyncIterable<Uint8Array>;
  try {
    for await (const chunk of chunks) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = (lines.pop() ?? "").slice(0, maxLine);
      yield* lines;
    }
  } catch (thrown) {
    throw toUnreachable(thrown);
  }
}

function toUnreachable(thrown: unknown): ChannelError {
  if (thrown instanceof ChannelError) return thrown;
  let cause = thrown;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  const why = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new ChannelError("later", `Cannot reach the ntfy server: ${why}.`, { cause: thrown });
}

function toChannelError({ status, headers }: Response): ChannelError {
  const cause = { status };
  if (status === 429) {
    const afterMs = Number(headers.get("retry-after")) * 1000 || defaultRetryMs;
    const message = `The ntfy server's rate limit was reached: retry in ${Math.round(afterMs / 1000)} s.`;
    return new ChannelError("later", message, { afterMs, cause });
  }
  if (status === 401 || status === 403)
    return new ChannelError(
      "never",
      `The ntfy server refused access (HTTP ${status}): run \`rookery setup ntfy\` with a token that may use the topics.`,
      { cause },
    );
  if (status >= 400 && status < 500)
    return new ChannelError("never", `The ntfy server rejected the request (HTTP ${status}).`, { cause });
  return new ChannelError("later", `The ntfy server answered HTTP ${status}.`, { cause });
}

/** True if the setup is broken until a person fixes it. */
export function isAccessError(error: unknown): boolean {
  const status = ((error as ChannelError | undefined)?.cause as { status?: number } | undefined)?.status;
  return status === 401 || status === 403;
}
