import { expect, test } from "vitest";
import { judgeSending } from "./loop-guard.ts";

const now = 10_000_000;
const limits = { hops: 3, perPairAndMinute: 2, perHour: 4 };
const ago = (...seconds: number[]) => seconds.map((s) => now - s * 1000);

test.each([
  ["the first word", { hops: 0, toRecipient: [], toAnybody: [] }, undefined],
  ["an answer", { hops: 3, toRecipient: ago(10), toAnybody: ago(10) }, undefined],
  ["one too many in a chain", { hops: 4, toRecipient: [], toAnybody: [] }, null],
  [
    "a third to one recipient in a minute",
    { hops: 0, toRecipient: ago(50, 10), toAnybody: ago(50, 10) },
    10_000,
  ],
  [
    "a third when the first is a minute old",
    { hops: 0, toRecipient: ago(60, 10), toAnybody: ago(60, 10) },
    undefined,
  ],
  ["a fifth in an hour", { hops: 0, toRecipient: [], toAnybody: ago(3000, 900, 800, 700) }, 600_000],
  [
    "a fifth when the first is an hour old",
    { hops: 0, toRecipient: [], toAnybody: ago(3600, 900, 800, 700) },
    undefined,
  ],
  [
    "messages from before the clock was set back by a day",
    { hops: 0, toRecipient: ago(-86_400, -86_400), toAnybody: ago(-86_400, -86_400, -86_400, -86_400) },
    undefined,
  ],
])("%s", (_what, record, retryAfterMs) => {
  const judged = judgeSending(record, limits, now);
  if (retryAfterMs === undefined) expect(judged).toEqual({ isAllowed: true });
  else expect(judged).toMatchObject({ isAllowed: false, retryAfterMs });
});
