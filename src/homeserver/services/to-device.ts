import type { Clock } from "../../shared/clock.ts";
import { JsonDepthError, parseJson } from "../../shared/json.ts";
import { refuse } from "../errors.ts";
import { type JsonObject, maxJsonDepth, ownMember } from "../json.ts";
import type { Ledger } from "./ledger.ts";
import type { Session, Sessions } from "./sessions.ts";
import type { Wake } from "./wake.ts";

export interface Waiting {
  stream: number;
  message: JsonObject;
}

/** A sync carries this many; the rest follows in the next. */
export const maxPerSync = 100;
/** A device that never syncs gets no more than this; further messages to it are dropped. */
const maxQueued = 10_000;
/** As for events, in bytes. */
const maxMessageBytes = 65_536;

/** The table `to_device`: mail to devices, kept until a sync says that it arrived. */
export interface ToDevice {
  /** `*` is every device. False if this transaction was sent before. `M_TOO_LARGE` for messages larger than an event. */
  send(from: Session, type: string, txn: string, messages: [userId: string, byDevice: JsonObject][]): boolean;
  /** Sorted by position, at most `maxPerSync`. */
  waiting(device: number, upTo: number): Waiting[];
  /** Everything up to a position has arrived. */
  confirm(device: number, upTo: number): void;
  /** When the newest that waits for this device came; 0 if nothing waits. */
  cameAt(device: number): number;
}

const keptTxnMs = 86_400_000;

export function openToDevice(ledger: Ledger, sessions: Sessions, wake: Wake, clock: Clock): ToDevice {
  const cameAt = new Map<number, number>();
  const queued = new Map<number, number>();
  ledger.onLost(() => {
    cameAt.clear();
    queued.clear();
  });
  let prunedAt = 0;

  function pruneTransactions(): void {
    if (clock() - prunedAt < keptTxnMs / 24) return;
    prunedAt = clock();
    ledger.write("DELETE FROM sent_to_device WHERE sent_at < ?", prunedAt - keptTxnMs);
  }

  function countQueued(device: number): number {
    const known = queued.get(device);
    if (known !== undefined) return known;
    const sql = "SELECT count(*) AS n FROM to_device WHERE device = ?";
    return ledger.get<{ n: number }>(sql, device)?.n ?? 0;
  }

  function deliver(device: number, message: JsonObject): void {
    const before = countQueued(device);
    queued.set(device, Math.min(before + 1, maxQueued));
    if (before >= maxQueued) return;
    const stream = ledger.next();
    cameAt.set(device, stream);
    ledger.write(
      "INSERT INTO to_device (stream, device, message) VALUES (?, ?, ?)",
      stream,
      device,
      JSON.stringify(message),
    );
  }

  return {
    send(from, type, txn, messages) {
      const key = `${type}/${txn}`;
      const isKnown = ledger.get(
        "SELECT 1 FROM sent_to_device WHERE device = ? AND txn = ?",
        from.device,
        key,
      );
      if (isKnown) return false;
      for (const [, byDevice] of messages) Object.values(byDevice).forEach(checkSize);
      pruneTransactions();
      ledger.write(
        "INSERT INTO sent_to_device (device, txn, sent_at) VALUES (?, ?, ?)",
        from.device,
        key,
        clock(),
      );
      for (const [userId, byDevice] of messages)
        for (const { n, id } of sessions.devices(userId)) {
          const content = ownMember(byDevice, id) ?? byDevice["*"];
          if (content !== undefined) deliver(n, { type, sender: from.userId, content });
        }
      ledger.afterCommit(() => wake.users(messages.map(([userId]) => userId)));
      return true;
    },
    waiting: (device, upTo) =>
      ledger
        .all<{ stream: number; message: string }>(
          "SELECT stream, message FROM to_device WHERE device = ? AND stream <= ? ORDER BY stream LIMIT ?",
          device,
          upTo,
          maxPerSync,
        )
        .map(({ stream, message }) => ({ stream, message: readMessage(message) })),
    confirm(device, upTo) {
      ledger.write("DELETE FROM to_device WHERE device = ? AND stream <= ?", device, upTo);
      queued.delete(device);
      if ((cameAt.get(device) ?? 0) <= upTo) cameAt.set(device, 0);
    },
    cameAt(device) {
      const known = cameAt.get(device);
      if (known !== undefined) return known;
      const latest =
        ledger.get<{ stream: number | null }>(
          "SELECT max(stream) AS stream FROM to_device WHERE device = ?",
          device,
        )?.stream ?? 0;
      cameAt.set(device, latest);
      return latest;
    },
  };
}

function checkSize(content: unknown): void {
  if (Buffer.byteLength(JSON.stringify(content)) > maxMessageBytes)
    refuse("M_TOO_LARGE", `A message to a device may have ${maxMessageBytes} bytes.`);
}

/** A message stored before depth was limited could not be written into an answer: its content is left out. */
function readMessage(text: string): JsonObject {
  try {
    return parseJson(text, { maxDepth: maxJsonDepth + 2 }) as JsonObject;
  } catch (error) {
    if (!(error instanceof JsonDepthError)) throw error;
    const { type, sender } = parseJson(text) as JsonObject;
    return { type, sender, content: {} };
  }
}
