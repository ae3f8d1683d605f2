import { expect, test } from "vitest";
import { isLarge, stringifyInParts } from "./large-json.ts";

const many = <T>(make: (n: number) => T): T[] => Array.from({ length: 500 }, (_, n) => make(n));
const sync = {
  next_batch: "s1",
  missing: undefined,
  rooms: { join: Object.fromEntries(many((n) => [`!"${n}é`, { timeline: [n, "😀", null] }])), leave: {} },
};

test.each([
  ["a sync", sync],
  ["a list", many((n) => ({ n, missing: undefined }))],
  ["a list with gaps", { chunk: [...many(String), undefined, null] }],
  ["an empty answer", {}],
  ["a small answer", { chunk: [{ a: 1 }] }],
])("the parts of %s are its JSON", async (_name, value) => {
  let calls = 0;
  const parts = await stringifyInParts(value, () => (++calls % 7 === 0 ? Promise.resolve() : undefined));
  expect(Buffer.concat(parts).toString()).toBe(JSON.stringify(value));
  // A pause between any two members: the longest step is one of them.
  if (isLarge(value)) expect(calls).toBeGreaterThan(500);
});

test.each([
  [sync, true],
  [{ chunk: many(String) }, true],
  [{ rooms: { join: { "!a": { timeline: { events: many(String) } } } } }, true],
  [{ chunk: [{ content: { a: { b: { c: { d: many(String) } } } } }] }, false],
  [{ event_id: "$a" }, false],
])("row %#: is it large", (value, expected) => {
  expect(isLarge(value)).toBe(expected);
});
