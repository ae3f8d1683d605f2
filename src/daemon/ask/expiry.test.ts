import { expect, test } from "vitest";
import { makeExpiryCheck } from "./expiry.ts";

const dayMs = 86_400_000;
const question = { id: "q", createdAt: 1_000_000, expiresAt: 1_060_000 };

test.each([
  ["is put forward by ten days", 10 * dayMs],
  ["is put back by ten days", -10 * dayMs],
  ["stays", 0],
])("a question expires after its time when the system clock %s", (_what, jumpMs) => {
  let passedMs = 0;
  let shiftMs = 0;
  const listExpired = makeExpiryCheck(
    () => question.createdAt + passedMs + shiftMs,
    () => passedMs,
  );
  expect(listExpired([question]).has(question.id)).toBe(false);
  shiftMs = jumpMs;
  passedMs = 59_000;
  expect(listExpired([question]).has(question.id)).toBe(false);
  passedMs = 60_000;
  expect(listExpired([question]).has(question.id)).toBe(true);
});

test.each([
  ["half of its time ago", 30_000, 30_000],
  ["long ago", dayMs, 0],
  ["in the future, because the clock was set back", -dayMs, 60_000],
])("a question stored %s has its remaining time after a restart", (_what, agoMs, remainingMs) => {
  let passedMs = 0;
  const listExpired = makeExpiryCheck(
    () => question.createdAt + agoMs,
    () => passedMs,
  );
  expect(listExpired([question]).has(question.id)).toBe(remainingMs === 0);
  passedMs = remainingMs;
  expect(listExpired([question]).has(question.id)).toBe(true);
});
