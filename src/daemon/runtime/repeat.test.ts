import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { silentLog } from "../../shared/log.ts";
import { repeat, repeatWhile } from "./repeat.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

it("runs work that was started at different times in one step", () => {
  const ran: string[] = [];
  const note = (name: string) => (): void => void ran.push(`${name} ${performance.now() % 1_000}`);
  vi.advanceTimersByTime(130);
  repeat(1_000, note("each second"), silentLog);
  vi.advanceTimersByTime(310);
  repeat(2_000, note("every other"), silentLog);
  vi.advanceTimersByTime(4_000);
  expect(ran.filter((each) => each === "each second 0").length).toBeGreaterThanOrEqual(3);
  expect(ran.filter((each) => each === "every other 0").length).toBeGreaterThanOrEqual(1);
  expect(new Set(ran)).toEqual(new Set(["each second 0", "every other 0"]));
});

it("continues after work that throws", () => {
  const work = vi.fn(() => {
    throw new Error("the disk is full");
  });
  repeat(1_000, work, silentLog);
  vi.advanceTimersByTime(3_500);
  expect(work.mock.calls.length).toBeGreaterThanOrEqual(3);
});

it("pauses when there is nothing to check, resumes when woken, and never runs after it is stopped", () => {
  let left = 2;
  const work = vi.fn(() => --left > 0);
  const care = repeatWhile(1_000, work, silentLog);
  vi.advanceTimersByTime(5_000);
  expect(work).not.toHaveBeenCalled();
  care.rouse();
  vi.advanceTimersByTime(10_000);
  expect(work).toHaveBeenCalledTimes(2);
  care.rouse();
  care.rouse();
  vi.advanceTimersByTime(10_000);
  expect(work).toHaveBeenCalledTimes(3);
  care.stop();
  care.rouse();
  vi.advanceTimersByTime(10_000);
  expect(work).toHaveBeenCalledTimes(3);
});
