import { expect, test } from "vitest";
import { findRequest, type SessionTurn, summariseSession } from "./session-summary.ts";

function turn(
  prompt: string,
  extra: Partial<SessionTurn> & { nextSteps?: string; completed?: string } = {},
): SessionTurn {
  const { nextSteps = "", completed = "", ...more } = extra;
  const empty = {
    request: prompt,
    investigated: "",
    learned: "",
    notes: "",
    filesRead: [],
    filesModified: ["src/a.ts"],
  };
  return {
    prompt,
    final: "",
    outcome: "completed",
    notes: [],
    summary: { ...empty, completed, nextSteps },
    ...more,
  };
}

const open = "The retry limit for `fetchAll` is not implemented yet.";

test("the eight fields come from the turns and their notes", () => {
  const summary = summariseSession({
    title: null,
    turns: [
      turn("ok"),
      turn("Please make the importer retry on 429 responses", {
        notes: [
          { type: "feature", title: "The importer waits for Retry-After" },
          { type: "gotcha", title: "The API counts HEAD requests, too" },
          { type: "decision", title: "Which limit? → Five attempts" },
        ],
      }),
      turn("and the docs", { nextSteps: open, outcome: "interrupted" }),
    ],
    later: [],
  });
  expect(summary).toEqual({
    request: "Make the importer retry on 429 responses",
    investigated: "",
    learned: "The API counts HEAD requests, too",
    completed: "The importer waits for Retry-After",
    nextSteps: open,
    notes: "Decided: Which limit? → Five attempts. The last turn was interrupted.",
    filesRead: [],
    filesModified: ["src/a.ts"],
  });
});

test("the host's title is the request", () => {
  expect(summariseSession({ title: "Importer retries", turns: [turn("do it")], later: [] })?.request).toBe(
    "Importer retries",
  );
});

test("a session without notes has no summary", () => {
  expect(
    summariseSession({ title: "x", turns: [{ ...turn("hi"), summary: undefined }], later: [] }),
  ).toBeUndefined();
});

test.each([
  ["stays open", "Next: the docs page", "I rewrote the docs page.", open],
  ["is closed by a later turn", "go on", "The retry limit for `fetchAll` is now implemented.", ""],
  [
    "stays open when it is only mentioned again",
    "go on",
    "The retry limit for `fetchAll` is still missing.",
    open,
  ],
  ["is dismissed by the user", "never mind, leave it", "", ""],
])("an open end %s", (_name, prompt, told, nextSteps) => {
  const turns = [turn("Make the importer retry", { nextSteps: open })];
  const [first] = turns;
  const inTheSession = summariseSession({
    title: null,
    turns: [...(first ? [first] : []), turn(prompt, { final: told })],
    later: [],
  });
  const inALaterSession = summariseSession({ title: null, turns, later: [{ prompt, told }] });
  expect([inTheSession?.nextSteps, inALaterSession?.nextSteps]).toEqual([nextSteps, nextSteps]);
});

test.each([
  ["offers and options", "We could add a cache later. If you want, a test is missing."],
  ["things that were filed", "Filed as API-12 for a follow-up."],
  ["reports", "Added the missing test for the retry limit."],
])("%s are not open ends", (_name, nextSteps) => {
  expect(summariseSession({ title: null, turns: [turn("Work", { nextSteps })], later: [] })?.nextSteps).toBe(
    "",
  );
});

test("open ends of earlier turns in the session do not count", () => {
  const turns = [
    turn("Start", { nextSteps: open }),
    ...["a", "b", "c"].map((name) => turn(`Then do part ${name}`)),
  ];
  expect(summariseSession({ title: null, turns, later: [] })?.nextSteps).toBe("");
});

test.each([
  [["continue", "yes", "Add a dark mode to the settings page"], "Add a dark mode to the settings page"],
  [["Implement the following plan:\n\n# Retry uploads on 429\n\nSteps …"], "Retry uploads on 429"],
  [["look at https://github.com/a/b/issues/12 and find the cause"], "Look at issue 12 and find the cause"],
  [["[Image #1] why is the header two lines high?"], "Why is the header two lines high?"],
])("the request of %j", (prompts, request) => {
  expect(findRequest(prompts)).toBe(request);
});
