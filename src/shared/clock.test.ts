import { expect, test } from "vitest";
import { ageMs, hourMs, localTime } from "./clock.ts";

const now = 1_000_000_000;

test.each([
  ["a moment in the past", now - 5, 5],
  ["now", now, 0],
  ["slightly ahead, by the clock of another program", now + 5_000, 0],
  ["a day ahead, from before the clock was set back", now + 86_400_000, Number.POSITIVE_INFINITY],
])("the age of %s", (_what, at, expected) => {
  expect(ageMs(at, now)).toBe(expected);
});

test("local times are those of Intl in the machine's time zone, also around a change of the clock", () => {
  const saved = process.env.TZ;
  process.env.TZ = "America/St_Johns";
  const date = new Intl.DateTimeFormat("en-CA", { year: "numeric", month: "2-digit", day: "2-digit" });
  const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
  try {
    for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 7 * hourMs) {
      expect(localTime.date(at)).toBe(date.format(at));
      expect(localTime.time(at)).toBe(time.format(at));
    }
  } finally {
    if (saved === undefined) delete process.env.TZ;
    else process.env.TZ = saved;
  }
});
