import { describe, expect, it } from "vitest";
import { makeBreaker } from "./breaker.ts";

describe("the breaker", () => {
  it("opens after three failures, lets one call through afterwards, and waits longer each time", () => {
    let now = 1_000;
    const breaker = makeBreaker(() => now);
    breaker.recordFailure();
    breaker.recordFailure();
    expect(breaker.blockedMs()).toBe(0);
    breaker.recordFailure();
    expect(breaker.blockedMs()).toBe(300_000);
    now += 300_001;
    expect(breaker.blockedMs()).toBe(0);
    breaker.recordFailure();
    expect(breaker.blockedMs()).toBe(600_000);
    for (let n = 0; n < 20; n++) breaker.recordFailure();
    expect(breaker.blockedMs()).toBe(3_600_000);
  });

  it("forgets failures after a success", () => {
    const breaker = makeBreaker(() => 0);
    breaker.recordFailure();
    breaker.recordFailure();
    breaker.recordSuccess();
    breaker.recordFailure();
    expect(breaker.blockedMs()).toBe(0);
  });

  it("waits for a requested pause, but at most an hour", () => {
    const breaker = makeBreaker(() => 5);
    breaker.pause(7_000);
    expect(breaker.blockedMs()).toBe(7_000);
    breaker.pause(1_000);
    expect(breaker.blockedMs()).toBe(7_000);
    breaker.pause(1e12);
    expect(breaker.blockedMs()).toBe(3_600_000);
  });
});
