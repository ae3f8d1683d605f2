import { expect, test } from "vitest";
import { makeReceiptContents, type ShownReceipt } from "./receipt-events.ts";

const at = (userId: string, eventId: string, thread = "", type = "m.read"): ShownReceipt => ({
  userId,
  eventId,
  thread,
  type,
  sentAt: 7,
});

test.each<[string, ShownReceipt[], object[]]>([
  ["no event without receipts", [], []],
  [
    "one event for two users at two events",
    [at("@a:x", "$1"), at("@b:x", "$2")],
    [{ $1: { "m.read": { "@a:x": { ts: 7 } } }, $2: { "m.read": { "@b:x": { ts: 7 } } } }],
  ],
  [
    "two events for one user in two threads at one event",
    [at("@a:x", "$1", "main"), at("@a:x", "$1", "$root"), at("@b:x", "$1")],
    [
      { $1: { "m.read": { "@a:x": { ts: 7, thread_id: "main" }, "@b:x": { ts: 7 } } } },
      { $1: { "m.read": { "@a:x": { ts: 7, thread_id: "$root" } } } },
    ],
  ],
  [
    "private receipts of the reader only",
    [at("@me:x", "$1", "", "m.read.private"), at("@b:x", "$1", "", "m.read.private")],
    [{ $1: { "m.read.private": { "@me:x": { ts: 7 } } } }],
  ],
])("receipts become %s", (_title, receipts, expected) =>
  expect(makeReceiptContents(receipts, "@me:x")).toEqual(expected),
);
