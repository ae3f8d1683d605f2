import { expect, it } from "vitest";
import * as z from "zod";
import { describeFirstIssue } from "./describe-issue.ts";

const shape = z.strictObject({
  text: z.string().min(1).max(5).optional(),
  ids: z.array(z.string().min(6)).min(1).optional(),
  port: z.number().int().min(0).max(65_535).optional(),
  level: z.enum(["info", "warn"]).optional(),
  at: z.iso.date().optional(),
  hours: z
    .string()
    .regex(/^\d+-\d+$/, "must look like 9-17")
    .optional(),
});

it.each([
  [{ text: "" }, "Field text must not be empty."],
  [{ text: "too long" }, "Field text must have at most 5 characters."],
  [{ text: 7 }, "Field text must be text."],
  [{ ids: [] }, "Field ids must not be empty."],
  [{ ids: ["abc"] }, "Field ids.0 must have at least 6 characters."],
  [{ port: "x" }, "Field port must be a number."],
  [{ port: 1.5 }, "Field port must be a whole number."],
  [{ port: -1 }, "Field port must be at least 0."],
  [{ port: 99_999 }, "Field port must be at most 65535."],
  [{ level: "loud" }, "Field level must be one of info, warn."],
  [{ txt: "" }, 'Unknown field "txt".'],
  ["words", "The body must be an object."],
  [{ at: "soon" }, "Field at is not valid: Invalid ISO date."],
  [{ hours: "late" }, "Field hours must look like 9-17."],
])("%j: %s", (value, expected) => {
  const { error } = shape.safeParse(value);
  expect(error && describeFirstIssue(error, "The body")).toBe(expected);
});
