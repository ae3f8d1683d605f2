import { expect, test } from "vitest";
import { chooseHours, dayOf, parseDay, shiftDay } from "./day.ts";

const noon = new Date(2026, 10, 18, 12, 30).getTime();
const at = (hour: number, minute = 0): number => new Date(2026, 10, 18, hour, minute).getTime();

test("a day is named, and an invalid or future name is today", () => {
  expect(dayOf(noon).name).toBe("2026-11-18");
  expect(parseDay("2026-11-02", noon).name).toBe("2026-11-02");
  for (const name of [undefined, "", "tomorrow", "2026-02-31", "2026-11-19", "2026-13-01", "<script>"])
    expect(parseDay(name, noon).name).toBe("2026-11-18");
});

test("days follow each other without a gap, over a whole year", () => {
  let day = parseDay("2025-11-18", noon);
  for (let n = 0; n < 365; n++) {
    const next = shiftDay(day, 1);
    expect(next.from).toBe(day.to);
    expect(shiftDay(next, -1)).toEqual(day);
    day = next;
  }
  expect(day.name).toBe("2026-11-18");
});

test("the axis has the hours with activity, and at least three", () => {
  const hours = (times: number[]) => {
    const { from, to, marks } = chooseHours(dayOf(noon), times);
    return [new Date(from).getHours(), Math.round((to - from) / 3_600_000), marks.length];
  };
  expect(hours([at(9, 20), at(15, 40)])).toEqual([9, 7, 4]);
  expect(hours([at(9, 20), at(9, 30)])).toEqual([9, 3, 3]);
  expect(hours([at(23, 10), at(23, 20)])).toEqual([21, 3, 3]);
  expect(hours([at(0, 5), at(23, 55)])).toEqual([0, 24, 6]);
  expect(hours([])).toEqual([0, 24, 6]);
});
