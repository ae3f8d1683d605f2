import { type Clock, monotonicClock } from "../../shared/clock.ts";
import { JsonDepthError, parseJson, getOwn } from "../../shared/json.ts";
import { refuse } from "../errors.ts";
import { isObject, type JsonObject, maxJsonDepth } from "../json.ts";
import type { BatchedDatabase } from "./batched-database.ts";
import type { Session, Sessions } from "./sessions.ts";
import type { PollWaker } from "./poll-waker.ts";

export interface QueuedMessage {
  stream: number;
  message: JsonObject;
}

/** Messages per sync; the rest follow in the next one. */
export const maxPerSync = 100;
/** Maximum queue of a device; further messages are dropped until it syncs. */
const maxQueued = 10_000;
/** The same limit as for events. */
const maxMessageBytes = 65_536;

/** The table `to_device`: messages to devices, kept until a sync confirms their receipt. */
export interface ToDevice {
  /** `*` is every device. False for a repeated transaction. `M_TOO_LARGE` for messages larger than an event. */
  send(from: Session, type: string, txn: string, messages: [userId: string, byDevice: JsonObject][]): boolean;
  /** Undelivered messages by position, at most `maxPerSync`. */
  listWaiting(device: number, upTo: number): QueuedMessage[];
  /** Deletes the messages up to a position, which the device has received. */
  confirm(device: number, upTo: number): void;
  /** The position of the newest undelivered message; 0 if there is none. */
  newestAt(device: number): number;
}

const keptTxnMs = 86_400_000;

export function openToDevice(
  db: BatchedDatabase,
  sessions: Sessions,
  waker: PollWaker,
  clock: Clock,
): ToDevice {
  const newestAt = new Map<number, number>();
  const queued = new Map<number, number>();
  db.onInvalidate(() => {
    newestAt.clear();
    queued.clear();
  });
  let prunedAt = Number.NEGATIVE_INFINITY;

  function pruneTransactions(): void {
    if (monotonicClock() - prunedAt < keptTxnMs / 24) return;
    prunedAt = monotonicClock();
    db.write("DELETE FROM sent_to_device WHERE sent_at < ?", clock() - keptTxnMs);
  }

  function countQueued(device: number): number {
    const known = queued.get(device);
    if (known !== undefined) return known;
    const sql = "SELECT count(*) AS n FROM to_device WHERE device = ?";
    return db.get<{ n: number }>(sql, device)?.n ?? 0;
  }

  function deliver(device: number, message: JsonObject): void {
    const before = countQueued(device);
    queued.set(device, Math.min(before + 1, maxQueued));
    if (before >= maxQueued) return;
    const stream = db.nextPosition();
    newestAt.set(device, stream);
    db.write(
      "INSERT INTO to_device (stream, device, message) VALUES (?, ?, ?)",
      stream,
      device,
      JSON.stringify(message),
    );
  }

  return {
    send(from, type, txn, messages) {
      const key = `${type}/${txn}`;
      const isKnown = db.get("SELECT 1 FROM sent_to_device WHERE device = ? AND txn = ?", from.device, key);
      if (isKnown) return false;
      for (const [, byDevice] of messages) Object.values(byDevice).forEach(checkMessage);
      pruneTransactions();
      db.write(
        "INSERT INTO sent_to_device (device, txn, sent_at) VALUES (?, ?, ?)",
        from.device,
        key,
        clock(),
      );
      for (const [userId, byDevice] of messages)
        for (const { n, id } of sessions.devices(userId)) {
          const content = getOwn(byDevice, id) ?? byDevice["*"];
          if (content !== undefined) deliver(n, { type, sender: from.userId, content });
        }
      db.afterCommit(() => waker.wake(messages.map(([userId]) => userId)));
      return true;
    },
    listWaiting: (device, upTo) =>
      db
        .all<{ stream: number; message: string }>(
          "SELECT stream, message FROM to_device WHERE device = ? AND stream <= ? ORDER BY stream LIMIT ?",
          device,
          upTo,
          maxPerSync,
        )
        .map(({ stream, message }) => ({ stream, message: readMessage(message) })),
    confirm(device, upTo) {
      db.write("DELETE FROM to_device WHERE device = ? AND stream <= ?", device, upTo);
      queued.delete(device);
      if ((newestAt.get(device) ?? 0) <= upTo) newestAt.set(device, 0);
    },
    newestAt(device) {
      const known = newestAt.get(device);
      if (known !== undefined) return known;
      const latest =
        db.get<{ stream: number | null }>(
          "SELECT max(stream) AS stream FROM to_device WHERE device = ?",
          device,
        )?.stream ?? 0;
      newestAt.set(device, latest);
      return latest;
    },
  };
}

function checkMessage(content: unknown): void {
  if (!isObject(content)) refuse("M_BAD_JSON", "A message to a device must be an object.");
  if (Buffer.byteLength(JSON.stringify(content)) > maxMessageBytes)
    refuse("M_TOO_LARGE", `A message to a device is larger than ${maxMessageBytes} bytes.`);
}

/** Omits the content of messages that were stored before the depth limit and are too deep to serialise. */
function readMessage(text: string): JsonObject {
  try {
    return parseJson(text, { maxDepth: maxJsonDepth + 2 }) as JsonObject;
  } catch (error) {
    if (!(error instanceof JsonDepthError)) throw error;
    const { type, sender } = parseJson(text) as JsonObject;
    return { type, sender, content: {} };
  }
}
