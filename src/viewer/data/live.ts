import { signal } from "@preact/signals";
import type { BusEvent } from "../../protocol/bus-events.ts";
import { backoffMs } from "../../shared/backoff.ts";
import { parseJson } from "../../shared/json.ts";
import { dropToken, token } from "./access.ts";
import { isNotifying } from "./notifying.ts";
import { makeStreamReader } from "./read-stream.ts";

export const connection = signal<"connecting" | "live" | "lost" | "paused">("connecting");

/** `reconnected`: the stream reconnected and events may be missing, so listeners reload. */
export type LiveEvent = BusEvent | { type: "reconnected" };
type Listener = (event: LiveEvent) => void;

const listeners = new Set<Listener>();
/** A browser opens at most six connections to one address, so hidden tabs close theirs after a while. */
const pauseAfterMs = 10 * 60_000;
const backoff = { firstMs: 500, maxMs: 10_000 };
/** The daemon sends a heartbeat every 15 s; without one the connection is dead. */
const deadAfterMs = 40_000;

export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function emit(event: LiveEvent): void {
  for (const listener of listeners) listener(event);
}

let lastId: string | undefined;
let current: AbortController | undefined;
let failures = 0;
let retryTimer: number | undefined;

/** Keeps the event stream open while the page has a token. */
export function startLive(): void {
  let restTimer: number | undefined;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(restTimer);
    // A tab that notifies needs its stream in the background.
    if (document.hidden) restTimer = setTimeout(() => isNotifying.value || pauseStream(), pauseAfterMs);
    else if (connection.value !== "live") reconnect();
  });
  addEventListener("online", reconnect);
  token.subscribe((value) => {
    if (value === null) current?.abort();
    else reconnect();
  });
}

function pauseStream(): void {
  connection.value = "paused";
  current?.abort();
}

function reconnect(): void {
  clearTimeout(retryTimer);
  current?.abort();
  if (token.value === null) return;
  const mine = new AbortController();
  current = mine;
  void run(mine).finally(() => {
    if (current !== mine || connection.value === "paused" || token.value === null) return;
    connection.value = "lost";
    failures += 1;
    retryTimer = setTimeout(reconnect, backoffMs(failures, backoff));
  });
}

async function run(mine: AbortController): Promise<void> {
  try {
    const response = await fetch("/api/events?viewer=1", {
      headers: {
        authorization: `Bearer ${token.value ?? ""}`,
        ...(lastId === undefined ? {} : { "last-event-id": lastId }),
      },
      signal: mine.signal,
    });
    if (response.status === 401) return dropToken();
    if (!response.ok || !response.body) return;
    const wasGap = connection.value === "lost" || connection.value === "paused";
    connection.value = "live";
    failures = 0;
    if (wasGap) emit({ type: "reconnected" });
    await readBody(response.body, mine);
  } catch {
    // Disconnected, refused or aborted: the caller retries.
  }
}

async function readBody(body: ReadableStream<Uint8Array>, mine: AbortController): Promise<void> {
  const read = makeStreamReader(({ id, data }) => {
    if (id !== "") lastId = id;
    emit(parseJson(data) as LiveEvent);
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const watchdog = setTimeout(() => mine.abort(), deadAfterMs);
    const { done, value } = await reader.read().finally(() => clearTimeout(watchdog));
    if (done) return;
    read(decoder.decode(value, { stream: true }));
  }
}
