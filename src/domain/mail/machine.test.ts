import { expect, test } from "vitest";
import { toMachineName } from "../../shared/machine-name.ts";
import { parseQualifiedName, toLocalName } from "./machine.ts";

test.each([
  ["api-jay@laptop", { agent: "api-jay", machine: "laptop" }],
  ["api-jay@ROOKERY1A2B3C4D", { agent: "api-jay", machine: "ROOKERY1A2B3C4D" }],
  ["api-jay", undefined],
  ["@ada:example.org", undefined],
  ["ada@example.org", undefined],
  ["@laptop", undefined],
])("%s is %o", (text, expected) => {
  expect(parseQualifiedName(text)).toEqual(expected);
});

test("a name loses only this machine, by its name or id", () => {
  const here = { id: "ROOKERY1", name: "laptop" };
  expect(
    ["jay@laptop", "jay@Laptop", "jay@ROOKERY1", "jay@desk", "jay"].map((n) => toLocalName(here, n)),
  ).toEqual(["jay", "jay", "jay", "jay@desk", "jay"]);
});

test.each([
  ["Adas-MBP.local", "adas-mbp"],
  ["_x 1", "x-1"],
  ["", "machine"],
])("the host %o is called %s", (host, name) => {
  expect(toMachineName(host)).toBe(name);
});
