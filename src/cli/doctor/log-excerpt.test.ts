import { expect, test } from "vitest";
import { excerptLine } from "./log-excerpt.ts";

const at = "2026-01-01T00:00:00.000Z";
const line = (fields: object): string =>
  JSON.stringify({ at, level: "error", message: "it failed", ...fields });

test.each<[string, object, string]>([
  ["keeps numbers and our own values", { id: "1.2.3", event: "Stop", ms: 12 }, "id=1.2.3 event=Stop ms=12"],
  [
    "drops names and paths of the user",
    { path: "/home/ada/x", agent: "api-rook" },
    "path=(left out) agent=(left out)",
  ],
  [
    "drops text that a parser quotes",
    { reason: `Unexpected token 'v', "violet sub"... is not valid JSON` },
    `reason=Unexpected token '…', "…"... is not valid JSON`,
  ],
  [
    "keeps an error's name, message and stack",
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
    "keeps the cause of an error",
    { error: { name: "AppError", message: "a", cause: { name: "Error", message: "b" } } },
    "error=AppError: a because Error: b",
  ],
])("%s", (_name, fields, expected) => {
  expect(excerptLine(line(fields))).toBe(`${at} error it failed ${expected}`);
});

test("an incomplete line is not shown", () => {
  expect(excerptLine('{"at":"x","prompt":"violet')).toBe("(incomplete line)");
});
