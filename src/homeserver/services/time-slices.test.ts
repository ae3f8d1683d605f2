import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { openTimeSlices } from "./time-slices.ts";

/** Every step takes 0.1 ms of this clock. */
function openSteps() {
  let steps = 0;
  const slices = openTimeSlices(() => steps / 10);
  const runUntilPause = (pause: () => Promise<void> | undefined): Promise<void> => {
    for (;;) {
      steps++;
      const pausing = pause();
      if (pausing) return pausing;
    }
  };
  return { slices, runUntilPause, count: () => steps };
}

test("computations that begin in one turn of the event loop share its time", async () => {
  const { slices, runUntilPause, count } = openSteps();
  const paused = Array.from({ length: 10 }, () => runUntilPause(slices.begin()));
  expect(count()).toBeLessThan(80);
  await Promise.all(paused);
  const before = count();
  await runUntilPause(slices.begin());
  expect(count() - before).toBeGreaterThanOrEqual(20);
});

test("an urgent computation goes before older ones", async () => {
  const { slices, runUntilPause } = openSteps();
  const order: string[] = [];
  const follow = (name: string, priority?: "urgent"): void =>
    void runUntilPause(slices.begin(priority)).then(() => order.push(name));
  follow("first");
  follow("second");
  follow("urgent", "urgent");
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  expect(order).toEqual(["urgent", "first", "second"]);
});
