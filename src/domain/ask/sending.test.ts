import { describe, expect, test } from "vitest";
import type { Notice } from "./card.ts";
import { backoffMs } from "../../shared/backoff.ts";
import { findMergeable, judgeHeldNotice, mergeNotices, maxTries, sendBackoff } from "./sending.ts";

test("an outage of an hour parks nothing, even with the shortest pauses", () => {
  let elapsedMs = 0;
  for (let failure = 1; failure < maxTries; failure++)
    elapsedMs += backoffMs(failure, sendBackoff, { random: 0 });
  expect(elapsedMs).toBeGreaterThan(3_600_000);
});

describe("a held notice", () => {
  test.each([
    ["the person typed after it", true, 200, false, "seen"],
    ["the person is here by an older key", true, 50, false, "hold"],
    ["the person left without another sign", false, 50, false, "send"],
    ["no person is known", false, null, false, "send"],
    ["quiet hours", false, 50, true, "hold"],
    ["here by hand, no sign", true, null, false, "hold"],
    ["they typed after it, and left again", false, 200, false, "seen"],
  ] as const)("%s", (_name, isHere, lastSignAt, isQuiet, expected) => {
    expect(judgeHeldNotice(100, { isHere, lastSignAt }, isQuiet)).toBe(expected);
  });
});

const news = (headline: string, level: Notice["level"] = "info"): Notice => ({
  kind: "done",
  level,
  headline,
  body: "long text",
  asker: { project: "api", agent: "api-rook", sessionId: "s", subagent: null },
});

describe("stale notices", () => {
  test("are merged only if there are several", () => {
    const minute = 60_000;
    const rows = [0, 5, 30, 40].map((age) => ({ createdAt: 100 * minute - age * minute }));
    expect(findMergeable(rows, 100 * minute)).toEqual(rows.slice(2));
    expect(findMergeable(rows.slice(0, 3), 100 * minute)).toEqual([]);
  });

  test("become one message with the most severe level and the newest lines", () => {
    const merged = mergeNotices([
      news("first", "error"),
      ...Array.from({ length: 11 }, (_, n) => news(`n${n}`)),
    ]);
    expect(merged).toMatchObject({ level: "error", headline: "12 notifications" });
    expect(merged.body.split("\n")).toEqual([
      "… 2 earlier ones",
      ...Array.from({ length: 10 }, (_, n) => `• n${n + 1}`),
    ]);
  });
});
