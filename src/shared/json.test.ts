import { expect, it } from "vitest";
import { JsonDepthError, parseJson } from "./json.ts";

it.each([
  ["at the top", '{"__proto__": {"admin": true}, "a": 1}'],
  ["with an escaped letter", '{"__pr\\u006fto__": {"admin": true}, "a": 1}'],
  ["with an escape in capitals", '{"\\u005F\\u005F\\u0070roto__": {"admin": true}, "a": 1}'],
])("drops __proto__ %s", (_where, text) => {
  const value = parseJson(text) as Record<string, unknown>;
  expect(Object.getOwnPropertyNames(value)).toEqual(["a"]);
  expect(Object.assign({}, value)).toEqual({ a: 1 });
  expect(({ ...value } as any).admin).toBeUndefined();
});

it("drops __proto__ in objects and arrays at any depth", () => {
  const levels = 50_000;
  const inner = '{"__proto__": 1, "b": [{"__proto__": {"c": 1}}, 2]}';
  let value: any = parseJson(`${"[".repeat(levels)}${inner}${"]".repeat(levels)}`);
  for (let i = 0; i < levels; i++) value = value[0];
  expect(Object.getOwnPropertyNames(value)).toEqual(["b"]);
  expect(Object.getOwnPropertyNames(value.b[0])).toEqual([]);
});

it("keeps __proto__ in string values, and constructor and prototype as members", () => {
  const value = {
    text: "__proto__ \u001b[1m",
    constructor: { prototype: { a: 1 } },
    list: [null, 1.5, false],
  };
  expect(parseJson(JSON.stringify(value))).toEqual(value);
});

it.each([
  ["[[[1]]]", 3, true],
  ["[[[1]]]", 2, false],
  ['{"a": [{"b": 1}], "c": 1}', 3, true],
  ['{"a": [{"b": 1}], "c": 1}', 2, false],
  ["1", 0, true],
  ["[]", 0, false],
])("%s has at most %i levels: %s", (text, maxDepth, fits) => {
  const parse = (): unknown => parseJson(text, { maxDepth });
  if (fits) expect(parse()).toEqual(JSON.parse(text));
  else expect(parse).toThrow(JsonDepthError);
});

it("throws a JsonDepthError if a reviver exhausts the stack", () => {
  const text = `${"[".repeat(100_000)}1.0${"]".repeat(100_000)}`;
  const reviver = (_key: string, value: unknown): unknown => value;
  expect(() => parseJson(text, { maxDepth: 100, reviver })).toThrow(JsonDepthError);
});

it.each(["", "{", "undefined", '{"a": 1,}'])("throws a SyntaxError for %j", (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});
