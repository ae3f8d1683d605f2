import { expect, test } from "vitest";
import { excerptLine } from "./log-excerpt.ts";

const at = "2026-01-01T00:00:00.000Z";
const line = (fields: object): string =>
  JSON.stringify({ at, level: "error", message: "it failed", ...fields });

test.each<[string, object, string]>([
  ["numbers and our own words stay", { id: "1.2.3", event: "Stop", ms: 12 }, "id=1.2.3 event=Stop ms=12"],
  [
    "names and paths of the user's go",
    { path: "/home/ada/x", agent: "api-rook" },
    "path=(left out) agent=(left out)",
  ],
  [
    "what a parser quotes goes",
    { reason: `Unexpected token 'v', "violet sub"... is not valid JSON` },
    `reason=Unexpected token '…', "…"... is not valid JSON`,
  ],
  [
    "an error keeps its name, its words and where it was thrown",
    {
      error: {
        name: "TypeError",
        message: 'no "violet"',
        stack: 'TypeError: no "violet"\n    at f (x.ts:1)\n    at g (y.ts:2)',
      },
    },
    'error=TypeError: no "…" | at f (x.ts:1) | at g (y.ts:2)',
  ],
  [
    "so does its cause",
    { error: { name: "AppError", message: "a", cause: { name: "Error", message: "b" } } },
    "error=AppError: a because Error: b",
  ],
])("%s", (_name, fields, expected) => {
  expect(excerptLine(line(fields))).toBe(`${at} error it failed ${expected}`);
});

test("a line that is not whole is not shown", () => {
  expect(excerptLine('{"at":"x","prompt":"violet')).toBe("(a line that is not whole)");
});
