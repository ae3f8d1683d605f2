import { expect, test } from "vitest";
import { makePath } from "./make-path.ts";

test.each([
  ["/health", {}, "/health"],
  ["/notes/:id", { params: { id: "a/b ?" } }, "/notes/a%2Fb%20%3F"],
  ["/rooms/:room/members", { params: { room: "!x:y" } }, "/rooms/!x%3Ay/members"],
  ["/search", { query: { q: "a&b", limit: 3, project: undefined, file: "" } }, "/search?q=a%26b&limit=3"],
])("%s with %j is %s", (path, input, expected) => {
  expect(makePath(path, input)).toBe(expected);
});
