import { describe, expect, test } from "vitest";
import { redactValue } from "./redact-value.ts";

describe("a field is hidden because of its key", () => {
  test.each([
    [{ password: "letmein" }, { password: "[secret:password]" }],
    [{ api_key: "abcdef" }, { api_key: "[secret:api-key]" }],
    [{ authorization: "Bearer abc" }, { authorization: "[secret:authorization]" }],
    [{ client_secret: "plain-words-here" }, { client_secret: "[secret:credential]" }],
    [{ DATABASE_URL: "opaque" }, { DATABASE_URL: "[secret:connection-string]" }],
    [{ DATABASE_URL: "mysql://a:b9@h/d" }, { DATABASE_URL: "mysql://a:[secret:url-password]@h/d" }],
    [
      { pin: 1, password: 12345678 },
      { pin: 1, password: "[secret:password]" },
    ],
    [
      { env: [{ name: "DB_PASSWORD", value: "word" }] },
      { env: [{ name: "DB_PASSWORD", value: "[secret:password]" }] },
    ],
    [{ args: ["--password", "word", "-v"] }, { args: ["--password", "[secret:password]", "-v"] }],
    [{ passwords: ["one", "two"] }, { passwords: ["[secret:password]", "[secret:password]"] }],
  ])("%j", (value, expected) => {
    expect(redactValue(value).value).toEqual(expected);
  });
});

test("strings and keys are redacted wherever they are, and counted once each", () => {
  const { value, hidden, kinds } = redactValue({
    a: [{ b: "<private>x</private>" }],
    "<private>k</private>": "DB_PASSWORD=hunter\nPORT=1",
  });
  expect(value).toEqual({ a: [{ b: "[private]" }], "[private]": "DB_PASSWORD=[secret:password]\nPORT=1" });
  expect({ hidden, kinds }).toEqual({ hidden: 3, kinds: ["password", "private"] });
});

test("a value with nothing to hide is returned as the same object", () => {
  const value = {
    session_id: "0b9c4d6e-1c1e-4a50-9b3e-5f0a3c8f9f11",
    tool_use_id: "toolu_01A09q90qw90lq917835lq9a",
    usage: { input_tokens: 12, max_tokens: "4096" },
    key: "Enter",
    token: "string",
    password: null,
    tool_input: { file_path: "/src/password.ts", pattern: "password=", secretName: "db" },
  };
  expect(redactValue(value)).toEqual({ value, hidden: 0, kinds: [] });
  expect(redactValue(value).value).toBe(value);
});

test("values nested too deeply to check are dropped", () => {
  let value: unknown = "secret";
  for (let depth = 0; depth < 10_000; depth++) value = [value];
  expect(JSON.stringify(redactValue(value).value)).toContain("[hidden:too-deep]");
});
