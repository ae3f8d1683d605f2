import { expect, test } from "vitest";
import { isLoopback } from "./target.ts";

test.each([
  ["127.0.0.1", true],
  ["127.1.2.3", true],
  ["localhost", true],
  ["::1", true],
  ["127.0.0.1.example.org", false],
  ["127.example.org", false],
  ["localhost.example.org", false],
  ["192.0.2.1", false],
])("a connection to %s stays on this machine: %s", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
