import type { JsonObject } from "../json.ts";

export interface ShownReceipt {
  userId: string;
  type: string;
  /** "" where the receipt names no thread. */
  thread: string;
  eventId: string;
  sentAt: number;
}

/**
 * The contents of `m.receipt` events that say this to a reader. One has room for one receipt of a user at an event: what is left
 * over (in another thread) goes into a next one. What others keep to themselves is left out.
 */
export function showReceipts(receipts: readonly ShownReceipt[], reader: string): JsonObject[] {
  const contents: Record<string, Record<string, JsonObject>>[] = [];
  for (const { userId, type, thread, eventId, sentAt } of receipts) {
    if (type === "m.read.private" && userId !== reader) continue;
    let content = contents.find((shown) => shown[eventId]?.[type]?.[userId] === undefined);
    if (!content) contents.push((content = {}));
    const byType = (content[eventId] ??= {});
    byType[type] = {
      ...byType[type],
      [userId]: thread === "" ? { ts: sentAt } : { ts: sentAt, thread_id: thread },
    };
  }
  return contents;
}
