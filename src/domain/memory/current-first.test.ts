import { expect, test } from "vitest";
import { putCurrentFirst } from "./current-first.ts";

const successors: Record<string, string> = { old: "new", older: "new" };
const order = (...refs: string[]): string[] =>
  putCurrentFirst(
    refs.map((ref) => ({ ref })),
    ({ ref }) => (successors[ref] === undefined ? undefined : { ref: successors[ref] }),
  ).map(({ hit, isOutdated }) => hit.ref + (isOutdated ? "*" : ""));

test.each([
  [
    ["a", "b"],
    ["a", "b"],
  ],
  [
    ["old", "a", "new"],
    ["new", "a", "old*"],
  ],
  [
    ["a", "old", "b"],
    ["a", "new", "b", "old*"],
  ],
  [
    ["older", "old", "a"],
    ["new", "a", "older*", "old*"],
  ],
])("%j is shown as %j", (found, shown) => {
  expect(order(...found)).toEqual(shown);
});
