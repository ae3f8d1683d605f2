import { expect, test } from "vitest";
import { listConcepts } from "./concepts.ts";

test("code in backticks names concepts, and the text after a long span of code does not", () => {
  const message = `the upload failed: ${"no route to the bucket, ".repeat(4)}try again`;
  const text = `It printed \`${message}\` before, and now returns \`ErrNoBucket\` with a hint.`;
  expect(listConcepts(text)).toEqual(["ErrNoBucket"]);
});
