import { expect, test } from "vitest";
import { makeLaneSpans } from "./lane-spans.ts";

const facts = {
  present: [{ from: 10, to: 90 }],
  turns: [],
  waits: [],
  shown: { from: 0, to: 100 },
  now: 200,
};
const draw = (changes: Partial<Parameters<typeof makeLaneSpans>[0]>): string =>
  makeLaneSpans({ ...facts, ...changes })
    .map(({ state, from, to }) => `${state} ${from}-${to ?? "now"}`)
    .join(", ");

test.each<[string, Parameters<typeof draw>[0], string]>([
  ["a session without turns is idle", {}, "idle 10-90"],
  ["no session, no span", { present: [], turns: [{ from: 1, to: 5 }] }, ""],
  [
    "a turn is work, and the time between turns is idle",
    { turns: [20, 40].map((from) => ({ from, to: from + 10 })) },
    "idle 10-20, working 20-30, idle 30-40, working 40-50, idle 50-90",
  ],
  [
    "a question in a turn makes it wait until the answer",
    { turns: [{ from: 20, to: 60 }], waits: [{ from: 30, to: 40 }] },
    "idle 10-20, working 20-30, waiting 30-40, working 40-60, idle 60-90",
  ],
  [
    "two questions at once are one wait",
    { waits: [30, 35].map((from) => ({ from, to: from + 10 })) },
    "idle 10-30, waiting 30-45, idle 45-90",
  ],
  [
    "a question does not outlive its session",
    { waits: [{ from: 50, to: 500 }] },
    "idle 10-50, waiting 50-90",
  ],
  ["only the period is shown", { shown: { from: 20, to: 30 } }, "idle 20-30"],
  ["the current state has no end", { now: 90, turns: [{ from: 80, to: 90 }] }, "idle 10-80, working 80-now"],
  ["no span lies in the future", { now: 50 }, "idle 10-now"],
  [
    "two sessions of an agent that touch are one span",
    {
      present: [
        { from: 0, to: 20 },
        { from: 20, to: 40 },
      ],
    },
    "idle 0-40",
  ],
  ["an empty turn is ignored", { turns: [{ from: 30, to: 30 }] }, "idle 10-90"],
])("%s", (_name, changes, drawn) => {
  expect(draw(changes)).toBe(drawn);
});
