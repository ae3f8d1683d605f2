import { expect, test } from "vitest";
import { lowestFreeSeat, nameAgent } from "./seat.ts";

const free = () => false;

test.each([
  ["api", 0, "api-rook"],
  ["api", 1, "api-jay"],
  ["My App (v2)", 0, "my-app-v2-rook"],
  ["Café  au lait", 0, "cafe-au-lait-rook"],
  ["漢字", 0, "project-rook"],
  ["../..", 0, "project-rook"],
  ['a\'; rm -rf "$HOME"\n', 0, "a-rm-rf-home-rook"],
  ["🐦", 2, "project-magpie"],
  ["api", 24, "api-rook-2"],
  ["api", 49, "api-jay-3"],
])("the agent of project %j on seat %i is %s", (project, seat, name) => {
  expect(nameAgent(project, seat, free)).toBe(name);
});

test("a long project name gives a short agent name", () => {
  expect(nameAgent("x".repeat(300), 0, free).length).toBeLessThan(60);
});

test("a name taken by another project's agent gets a number", () => {
  const taken = new Set(["api-rook", "api-rook.2"]);
  expect(nameAgent("api", 0, (name) => taken.has(name))).toBe("api-rook.3");
});

test("finds the lowest free seat", () => {
  expect(lowestFreeSeat(new Set())).toBe(0);
  expect(lowestFreeSeat(new Set([0, 1, 3]))).toBe(2);
});
