import type { JsonObject } from "../json.ts";

export interface ShownReceipt {
  userId: string;
  type: string;
  /** "" if the receipt names no thread. */
  thread: string;
  eventId: string;
  sentAt: number;
}

/**
 * The contents of `m.receipt` events for a reader. A content holds one receipt per user and event, so a receipt of another
 * thread goes into an additional one. Private receipts of other users are omitted.
 */
export function makeReceiptContents(receipts: readonly ShownReceipt[], reader: string): JsonObject[] {
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
