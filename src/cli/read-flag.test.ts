import { describe, expect, it } from "vitest";
import { readChoice, readCount, readDay, readDayEnd, readProject } from "./read-flag.ts";

/** A Sunday afternoon in the local time zone. */
const now = new Date(2026, 10, 15, 15, 30).getTime();
const local = (year: number, month: number, day: number): number => new Date(year, month - 1, day).getTime();

describe("a day", () => {
  it.each([
    ["2026-10-01", local(2026, 10, 1)],
    ["today", local(2026, 11, 15)],
    ["yesterday", local(2026, 11, 14)],
    ["7d", local(2026, 11, 8)],
    ["30d", local(2026, 10, 16)],
    ["2026-10-01T12:30", new Date(2026, 9, 1, 12, 30).getTime()],
  ])("%s begins in the user's time zone", (text, at) => {
    expect(readDay("--since", text, now)).toBe(at);
  });

  it("ends just before the next day", () => {
    expect(readDayEnd("--until", "2026-11-14", now)).toBe(local(2026, 11, 15) - 1);
    expect(readDayEnd("--until", undefined, now)).toBeUndefined();
  });

  it.each(["soon", "2026-13-01", "d", "-3d", ""])("%j is none", (text) => {
    expect(() => readDay("--since", text, now)).toThrow(/^--since takes a day, such as 2026-10-01/);
  });
});

describe("a project", () => {
  it.each([
    ["orders-api", "orders-api"],
    [".hidden", ".hidden"],
    [".", "/work/shop"],
    ["..", "/work"],
    ["./api", "/work/shop/api"],
    ["/elsewhere", "/elsewhere"],
    [undefined, undefined],
  ])("%j is %j", (given, project) => {
    expect(readProject("/work/shop", given)).toBe(project);
  });
});

describe("a count", () => {
  it.each([
    [undefined, 5],
    ["1", 1],
    ["200", 200],
  ])("%j is %i", (given, count) => {
    expect(readCount("-n", given, 5)).toBe(count);
  });

  it.each(["0", "-1", "1.5", "x", ""])("%j is none", (given) => {
    expect(() => readCount("-n", given, 5)).toThrow(/^-n takes a positive whole number, not/);
  });
});

describe("a choice", () => {
  it.each([
    ["warn", "warn"],
    [undefined, undefined],
  ])("%j is %j", (given, chosen) => {
    expect(readChoice("--leases", given, ["warn", "block"])).toBe(chosen);
  });

  it.each([
    ["blok", "Unknown value blok for --leases. Did you mean block?"],
    ["something", "Unknown value something for --leases. Expected one of: warn, block."],
  ])("%j is refused, with the nearest choice", (given, message) => {
    expect(() => readChoice("--leases", given, ["warn", "block"])).toThrow(message);
  });
});
