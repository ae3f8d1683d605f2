import { expect, test } from "vitest";
import { makeRechecks } from "./rechecks.ts";

const target = { by: "words", pattern: "orchid" } as const;
let now = 0;

test("a text that arrives after a first search without results is deleted", () => {
  const rechecks = makeRechecks(() => now);
  rechecks.add("orchid", target);
  now += 1;
  expect(rechecks.judge("orchid", 0)).toBe("wait");
  now += 5_000;
  expect(rechecks.judge("orchid", 2)).toBe("delete");
  expect(rechecks.list()).toEqual([["orchid", target]]);
});

test("a deleted text that does not come back is watched for 20 seconds", () => {
  const rechecks = makeRechecks(() => now);
  rechecks.add("orchid", target);
  for (const elapsed of [5_000, 14_999, 1]) {
    expect(rechecks.count()).toBe(1);
    now += elapsed;
    expect(rechecks.judge("orchid", 0)).toBe("wait");
  }
  expect(rechecks.count()).toBe(0);
});

test("a text that comes back every time is given up after five deletions", () => {
  const rechecks = makeRechecks(() => now);
  for (let n = 1; n < 5; n += 1) {
    rechecks.add("orchid", target);
    expect(rechecks.judge("orchid", 1)).toBe("delete");
  }
  rechecks.add("orchid", target);
  expect(rechecks.judge("orchid", 1)).toBe("give up");
  expect(rechecks.count()).toBe(0);
});
