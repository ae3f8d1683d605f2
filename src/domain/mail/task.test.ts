import { expect, test } from "vitest";
import { canTransition, readTaskState, taskStates } from "./task.ts";

test.each([
  ["submitted", "working", true],
  ["submitted", "rejected", true],
  ["submitted", "input_required", false],
  ["working", "working", true],
  ["working", "rejected", false],
  ["input_required", "working", true],
  ["failed", "working", true],
  ["completed", "working", false],
  ["completed", "completed", false],
  ["canceled", "completed", false],
] as const)("a task that is %s may become %s: %s", (from, to, expected) => {
  expect(canTransition(from, to)).toBe(expected);
});

test.each([
  ["complete", "completed"],
  ["done", "completed"],
  ["cancelled", "canceled"],
  ["finished", undefined],
  ["constructor", undefined],
] as const)("%s is read as %s", (text, state) => {
  expect(readTaskState(text)).toBe(state);
});

test.each(taskStates)("%s is read as itself", (state) => {
  expect(readTaskState(state)).toBe(state);
});
