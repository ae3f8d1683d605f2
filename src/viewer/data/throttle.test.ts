import { afterEach, expect, test, vi } from "vitest";
import { throttle } from "./throttle.ts";

afterEach(() => void vi.useRealTimers());

test("runs the first call at once and a burst as one more call", () => {
  vi.useFakeTimers();
  let count = 0;
  const call = throttle(() => count++, 100);
  call();
  expect(count).toBe(1);
  for (let i = 0; i < 50; i++) call();
  expect(count).toBe(1);
  vi.advanceTimersByTime(100);
  expect(count).toBe(2);
  vi.advanceTimersByTime(1000);
  expect(count).toBe(2);
  call();
  expect(count).toBe(3);
});
