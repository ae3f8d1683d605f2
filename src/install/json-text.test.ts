import { describe, expect, it } from "vitest";
import { type Path, removeAt, setAt } from "./json-text.ts";

const group = { hooks: [{ command: "bash" }] };

describe("putting a value into a user's JSON", () => {
  it.each<[string, string, Path, unknown, string]>([
    ["into an empty file", "{}", ["a"], 1, '{\n  "a": 1\n}'],
    ["into an empty file with a line end", "{ }\n", ["a", "b"], 1, '{\n  "a": {\n    "b": 1\n  }\n}\n'],
    ["behind the last member", '{\n  "x": 1\n}\n', ["a"], [2], '{\n  "x": 1,\n  "a": [\n    2\n  ]\n}\n'],
    [
      "with four blanks",
      '{\n    "x": 1\n}',
      ["a"],
      { b: 2 },
      '{\n    "x": 1,\n    "a": {\n        "b": 2\n    }\n}',
    ],
    ["with tabs", '{\n\t"x": 1\n}', ["a"], { b: 2 }, '{\n\t"x": 1,\n\t"a": {\n\t\t"b": 2\n\t}\n}'],
    [
      "with CRLF",
      '{\r\n  "x": 1\r\n}\r\n',
      ["a"],
      { b: 2 },
      '{\r\n  "x": 1,\r\n  "a": {\r\n    "b": 2\r\n  }\r\n}\r\n',
    ],
    ["on one line", '{"x":1}', ["a"], { b: 2 }, '{"x":1,"a":{"b":2}}'],
    ["on one line with blanks", '{ "x": 1, "y": 2 }', ["a"], { b: 2 }, '{ "x": 1, "y": 2, "a": {"b":2} }'],
    [
      "into an empty object inside",
      '{\n  "a": {},\n  "x": 1\n}',
      ["a", "b"],
      2,
      '{\n  "a": {\n    "b": 2\n  },\n  "x": 1\n}',
    ],
    [
      "behind the last element",
      '{\n  "h": [\n    {"k": "v"}\n  ]\n}',
      ["h", 1],
      group,
      '{\n  "h": [\n    {"k": "v"},\n    {\n      "hooks": [\n        {\n          "command": "bash"\n        }\n      ]\n    }\n  ]\n}',
    ],
    [
      "behind an element on one line",
      '{\n  "h": [{"k": "v"}]\n}',
      ["h", 1],
      group,
      '{\n  "h": [{"k": "v"},{"hooks":[{"command":"bash"}]}]\n}',
    ],
    [
      "in place of another",
      '{\n  "a": { "long": [1, 2] },\n  "x": 1\n}',
      ["a"],
      3,
      '{\n  "a": 3,\n  "x": 1\n}',
    ],
    [
      "under a key with quotes",
      '{\n  "a\\"b": {}\n}',
      ['a"b', "c"],
      1,
      '{\n  "a\\"b": {\n    "c": 1\n  }\n}',
    ],
    [
      "at the last of two equal keys",
      '{"a":{"x":1},"a":{"y":2}}',
      ["a", "z"],
      3,
      '{"a":{"x":1},"a":{"y":2,"z":3}}',
    ],
    [
      "in front of a comment at the end of the line",
      '{\n  "x": 1 // mine\n}',
      ["a"],
      2,
      '{\n  "x": 1,\n  "a": 2 // mine\n}',
    ],
    [
      "behind comments",
      '// head\n{\n  /* {"a": 0} */\n  "x": "// no comment"\n}',
      ["a"],
      2,
      '// head\n{\n  /* {"a": 0} */\n  "x": "// no comment",\n  "a": 2\n}',
    ],
    ["before a trailing comma", '{\n  "x": [1, 2,],\n}', ["x", 2], 3, '{\n  "x": [1, 2, 3,],\n}'],
    [
      "into an object with only a comment",
      '{\n  "h": {\n    // none yet\n  }\n}',
      ["h", "a"],
      1,
      '{\n  "h": {\n    // none yet\n    "a": 1\n  }\n}',
    ],
    ["behind a byte order mark", '\uFEFF{\n  "x": 1\n}', ["a"], 2, '\uFEFF{\n  "x": 1,\n  "a": 2\n}'],
  ])("%s", (_name, text, path, value, expected) => {
    expect(setAt(text, path, value)).toBe(expected);
  });

  it("leaves odd numbers, escapes and spacing of others as they are", () => {
    const text = '{ "n":1.0e0 ,\t"s" : "\\u00e4\\/ {[,]}", "deep": [ [ ], { } ,null,true ] }';
    const changed = setAt(text, ["mine"], "x");
    expect(changed).toBe(`${text.slice(0, -2)},\t"mine": "x" }`);
    expect(removeAt(changed, ["mine"])).toBe(text);
  });
});

describe("removing it", () => {
  it.each<[string, string, Path, unknown]>([
    ["an object", '{\n  "x": 1\n}\n', ["a"], { b: 1 }],
    ["a list", '{\n\t"h": {\n\t\t"Stop": [\n\t\t\t{ "mine": 1 }\n\t\t]\n\t}\n}', ["h", "Stop", 1], group],
    ["one line", '{"h":[1, 2]}', ["h", 2], 3],
    ["CRLF", '{\r\n "x": [],\r\n "y": 0\r\n}', ["z"], group],
    ["nothing before", "{}\n", ["a"], 1],
    ["a comment at the end", '{\n  "x": 1 // mine\n}\n', ["a"], group],
    ["a comment above", '{\r\n  // mine\r\n  "x": 1, // too\r\n}\r\n', ["a"], group],
    ["trailing commas", '{\n  "h": [\n    1,\n  ],\n}\n', ["h", 1], group],
  ])("gives the same bytes: %s", (_name, text, path, value) => {
    const changed = setAt(text, path, value);
    expect(changed).not.toBe(text);
    expect(removeAt(changed, path)).toBe(text);
  });

  it.each<[string, Path, string]>([
    ['{ "a": 1, "b": 2, "c": 3 }', ["a"], '{ "b": 2, "c": 3 }'],
    ['{ "a": 1, "b": 2, "c": 3 }', ["b"], '{ "a": 1, "c": 3 }'],
    ['{ "a": 1, "b": 2, "c": 3 }', ["c"], '{ "a": 1, "b": 2 }'],
    ['{ "a": [ 1 ] }', ["a", 0], '{ "a": [] }'],
    ['{ "a": [ 1, ] }', ["a", 0], '{ "a": [] }'],
    ['{ "a": [ /* one */ 1 ] }', ["a", 0], '{ "a": [ /* one */ ] }'],
    ['{\n  "a": 1, // a\n  "b": 2, // b\n  "c": 3\n}', ["b"], '{\n  "a": 1, // a // b\n  "c": 3\n}'],
    ['{\n  "a": 1, // a\n  "b": 2 // b\n}', ["b"], '{\n  "a": 1 // a // b\n}'],
    ['{\n  "a": 1, // a\n  "b": 2\n}', ["a"], '{\n  // a\n  "b": 2\n}'],
    ['{ "a": 1 }', ["b"], '{ "a": 1 }'],
    ['{ "a": 1 }', ["b", "c"], '{ "a": 1 }'],
  ])("%s without %j", (text, path, expected) => {
    expect(removeAt(text, path)).toBe(expected);
  });
});
