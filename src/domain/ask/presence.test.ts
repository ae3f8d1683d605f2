import { describe, expect, test } from "vitest";
import { judgePresence, type PresenceFacts } from "./presence.ts";

const now = 10_000_000;
const ago = (seconds: number): number => now - seconds * 1000;
const nothing: PresenceFacts = {
  lastKeyAt: null,
  lastPromptAt: null,
  lastViewerAt: null,
  hasPresenceFile: false,
  override: null,
};

const rows: [string, Partial<PresenceFacts>, number, boolean, string][] = [
  ["no sign at all", {}, 60, false, "no sign of you yet"],
  ["a key a moment ago", { lastKeyAt: ago(12) }, 60, true, "last key 12 s ago"],
  ["a key exactly at the threshold", { lastKeyAt: ago(60) }, 60, false, "last key 60 s ago"],
  [
    "an old key, a new prompt",
    { lastKeyAt: ago(600), lastPromptAt: ago(5) },
    60,
    true,
    "last prompt 5 s ago",
  ],
  [
    "the viewer was used",
    { lastKeyAt: ago(600), lastViewerAt: ago(5) },
    60,
    true,
    "last use of the viewer 5 s ago",
  ],
  ["a key from a clock ahead of ours", { lastKeyAt: ago(-5) }, 60, true, "last key 0 s ago"],
  ["a key from before the clock was set back", { lastKeyAt: ago(-86_400) }, 60, false, "no sign of you yet"],
  [
    "here by hand, before the clock was set back",
    { override: { state: "here", at: ago(-86_400) } },
    60,
    false,
    "no sign of you yet",
  ],
  ["long gone", { lastKeyAt: ago(7_300) }, 60, false, "last key 2 h ago"],
  ["a threshold of 0", { lastKeyAt: ago(0) }, 0, false, "presence.awaySeconds is 0"],
  ["the presence file, no key", { hasPresenceFile: true }, 60, true, "the presence file is there"],
  ["the presence file, a threshold of 0", { hasPresenceFile: true }, 0, true, "the presence file is there"],
  [
    "away by hand while typing it",
    { lastKeyAt: ago(3), override: { state: "away", at: ago(5) } },
    60,
    false,
    "set by hand 5 s ago",
  ],
  [
    "away by hand, typed again later",
    { lastKeyAt: ago(3), override: { state: "away", at: ago(30) } },
    60,
    true,
    "last key 3 s ago",
  ],
  [
    "away by hand, no sign since",
    { lastKeyAt: ago(90), override: { state: "away", at: ago(80) } },
    600,
    false,
    "set by hand 80 s ago",
  ],
  [
    "away by hand against the presence file",
    { hasPresenceFile: true, override: { state: "away", at: ago(1) } },
    60,
    false,
    "set by hand 1 s ago",
  ],
  [
    "here by hand, quiet since",
    { lastKeyAt: ago(900), override: { state: "here", at: ago(600) } },
    60,
    true,
    "set by hand 10 min ago",
  ],
  [
    "here by hand with a threshold of 0",
    { override: { state: "here", at: ago(6) } },
    0,
    true,
    "set by hand 6 s ago",
  ],
  [
    "here by hand, a sign after it: the signs count again",
    { lastKeyAt: ago(100), override: { state: "here", at: ago(600) } },
    60,
    false,
    "last key 100 s ago",
  ],
  [
    "here by hand, an hour of silence",
    { override: { state: "here", at: ago(3_600) } },
    60,
    false,
    "no sign of you yet",
  ],
];

describe("presence", () => {
  test.each(rows)("%s", (_name, facts, awaySeconds, isHere, reason) => {
    const judged = judgePresence({ ...nothing, ...facts }, awaySeconds * 1000, now);
    expect(judged).toMatchObject({ isHere, reason });
  });

  test("says when it changes without further activity", () => {
    expect(judgePresence({ ...nothing, lastKeyAt: ago(12) }, 60_000, now).until).toBe(now + 48_000);
    expect(judgePresence({ ...nothing, lastKeyAt: ago(70) }, 60_000, now).until).toBeNull();
    expect(judgePresence({ ...nothing, override: { state: "here", at: now } }, 60_000, now).until).toBe(
      now + 3_600_000,
    );
  });
});
