import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { silentLog } from "../../shared/log.ts";
import { ChannelError } from "../channel.ts";
import { openPollTimer } from "./poll-timer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The pauses between rounds, in seconds. */
async function poll(rounds: number, round: (n: number) => boolean): Promise<number[]> {
  const times: number[] = [];
  const polling = openPollTimer({
    isNeeded: () => times.length < rounds,
    async round() {
      times.push(performance.now() / 1000);
      return round(times.length);
    },
    log: silentLog,
    firstMs: 3_000,
    maxMs: 15_000,
  });
  polling.wake();
  await vi.runAllTimersAsync();
  polling.stop();
  return times.slice(1).map((at, n) => at - (times[n] ?? 0));
}

test("the pause between polls grows from 3 to 15 seconds, give or take a fifth, and starts over after news", async () => {
  const pauses = await poll(10, (n) => n === 8);
  const expected = [4.5, 6.75, 10.1, 15, 15, 15, 15, 3, 4.5];
  expect(pauses).toHaveLength(expected.length);
  for (const [n, pause] of pauses.entries()) {
    expect(pause).toBeGreaterThan((expected[n] ?? 0) * 0.79);
    expect(pause).toBeLessThan((expected[n] ?? 0) * 1.21);
  }
});

test("no poll is made before the end of a rate limit", async () => {
  const pauses = await poll(2, (n) => {
    if (n === 1) throw new ChannelError("later", "slow down", { afterMs: 60_000 });
    return false;
  });
  expect(pauses[0]).toBeGreaterThanOrEqual(60);
});
