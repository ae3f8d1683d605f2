import { describe, expect, test } from "vitest";
import { isSameStatement, sketchesOf } from "./alike.ts";

const note = (narrative: string, title = "") => ({ title, narrative, facts: [] });
const long =
  "The order service keeps its retry queue in Redis because the workers restart often and a queue in memory was lost twice";

describe("two notes say the same", () => {
  test.each([
    ["word for word", long, long],
    ["in another case", "Always use pnpm here", "always: use PNPM here!"],
    ["with other small words", "We always use pnpm", "Always use the pnpm"],
    ["with other endings", "Retrying failed uploads", "Retry fail upload"],
    ["where one adds a detail", long, `${long}, at peak`],
  ])("%s", (_how, a, b) => {
    expect(isSameStatement(note(a), note(b))).toBe(true);
    expect(isSameStatement(note(b), note(a))).toBe(true);
  });

  test.each([
    ["another thing is chosen", long, long.replace("Redis", "Postgres")],
    ["the order is the point", "We took Redis rather than Kafka", "We took Kafka rather than Redis"],
    ["a number differs", "The port is 8080 in the tests", "The port is 8081 in the tests"],
    ["one says not", "Use tabs in this repository", "Do not use tabs in this repository"],
    ["one says don't", "Use tabs in this repository", "Don't use tabs in this repository"],
    ["one is far longer", "Retry queue in Redis", long],
    ["they share nothing", "Use tabs", "The parser was slow"],
    ["there is nothing to compare", "", "the of and"],
  ])("not when %s", (_how, a, b) => {
    expect(isSameStatement(note(a), note(b))).toBe(false);
    expect(isSameStatement(note(b), note(a))).toBe(false);
  });
});

describe("sketches", () => {
  const shared = (a: string, b: string, scope = "p") => {
    const left = new Set(sketchesOf(note(a), scope));
    return sketchesOf(note(b), "p").some((sketch) => left.has(sketch));
  };
  test("match if the words are nearly the same", () => {
    expect(shared(long, long.toUpperCase())).toBe(true);
    expect(shared(long, `${long}, at peak`)).toBe(true);
  });
  test("do not match if the words or the scope differ", () => {
    expect(shared(long, "Always run the linter before a commit")).toBe(false);
    expect(shared(long, long, "q")).toBe(false);
  });
  test("are integers that both SQLite and JavaScript can represent", () => {
    for (const sketch of sketchesOf(note(long), "p")) expect(Number.isSafeInteger(sketch)).toBe(true);
  });
  test("are empty for a note of one word", () => {
    expect(sketchesOf(note("pnpm"), "p")).toEqual([]);
  });
});
