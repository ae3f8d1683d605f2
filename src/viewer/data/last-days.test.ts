import { expect, test } from "vitest";
import { fillDays, formatIsoDay } from "./last-days.ts";

test("thirty days up to today, also across a change of the clocks", () => {
  const now = new Date(2026, 2, 31, 23, 59).getTime();
  const today = { day: "2026-03-31", n: 1 };
  const days = fillDays([{ day: "2026-03-02", n: 2 }, today, { day: "2025-01-01", n: 3 }], now);
  expect(days).toHaveLength(30);
  expect(days.map(({ at }) => formatIsoDay(at)).slice(0, 2)).toEqual(["2026-03-02", "2026-03-03"]);
  expect(days.at(-1)?.row).toBe(today);
  expect(days.filter(({ row }) => row).map(({ row }) => row?.n)).toEqual([2, 1]);
  expect(new Set(days.map(({ at }) => formatIsoDay(at))).size).toBe(30);
});
