import { expect, test } from "vitest";
import { isDue } from "./due.ts";

const now = 100_000;
const injected = { state: "injected", attempts: 1, injectedAt: now - 11_000, sessionId: "s" } as const;
const live = { isLive: true, transcriptGrewAt: now - 5_000 };

test.each([
  ["queued", { ...injected, state: "queued" as const, injectedAt: null }, undefined, true],
  ["confirmed", { ...injected, state: "confirmed" as const }, { ...live, isLive: false }, false],
  ["a transcript written past it without a trace", injected, live, true],
  ["injected a moment ago", { ...injected, injectedAt: now - 9_000 }, live, false],
  ["a transcript that has not grown since", injected, { ...live, transcriptGrewAt: now - 11_000 }, false],
  [
    "a transcript that grew only as it was injected",
    injected,
    { ...live, transcriptGrewAt: now - 9_500 },
    false,
  ],
  ["its session is over", { ...injected, injectedAt: now - 10 }, { ...live, isLive: false }, true],
  ["no transcript to check", injected, { isLive: true, transcriptGrewAt: undefined }, true],
  [
    "no transcript, third try",
    { ...injected, attempts: 3 },
    { isLive: false, transcriptGrewAt: undefined },
    false,
  ],
  [
    "no transcript, just now",
    { ...injected, injectedAt: now - 10 },
    { isLive: false, transcriptGrewAt: undefined },
    false,
  ],
  ["an unknown session", injected, undefined, true],
  [
    "injected before the clock was set back by a day",
    { ...injected, injectedAt: now + 86_400_000 },
    live,
    true,
  ],
])("due again? %s", (_name, attempt, last, expected) => {
  expect(isDue(attempt, last, now)).toBe(expected);
});
