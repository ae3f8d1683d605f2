import { expect, test } from "vitest";
import { makeHash, parseRoute } from "./route.ts";

test.each<[string, ReturnType<typeof parseRoute>]>([
  ["", { page: "today", id: undefined, query: {} }],
  ["#/memory", { page: "memory", id: undefined, query: {} }],
  ["#/memory/a%2Fb?q=x+y", { page: "memory", id: "a/b", query: { q: "x y" } }],
  ["#/nowhere/1", { page: "today", id: "1", query: {} }],
  ["#/sessions/%E0%A4%A", { page: "sessions", id: "%E0%A4%A", query: {} }],
  ["#code=abc", { page: "today", id: undefined, query: {} }],
])("%s", (hash, route) => {
  expect(parseRoute(hash)).toEqual(route);
});

test("parseRoute reverses makeHash", () => {
  const query = { q: 'a&b="c"', type: "gotcha" };
  expect(parseRoute(makeHash("memory", "1/2?#", query))).toEqual({ page: "memory", id: "1/2?#", query });
  expect(makeHash("today", undefined, { q: "" })).toBe("#/today");
});
