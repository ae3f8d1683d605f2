import type * as z from "zod";

const names: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
const units: Record<string, string> = { string: "characters", array: "entries" };

/** What is wrong with a value, to stand after its name: `port must be at most 65535`. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${names[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`;
    case "too_small":
      return issue.minimum === 1 && issue.origin in units
        ? "must not be empty"
        : `must ${describeLimit("at least", issue.minimum, issue.origin)}`;
    case "too_big":
      return `must ${describeLimit("at most", issue.maximum, issue.origin)}`;
    case "unrecognized_keys":
      return `has no ${issue.keys.join(", ")}`;
    default:
      // Those of our own rules go on from the name.
      return issue.message.startsWith("must ") ? issue.message : `is not valid: ${issue.message}`;
  }
}

function describeLimit(word: "at least" | "at most", limit: number | bigint, origin: string): string {
  const unit = units[origin];
  return unit ? `have ${word} ${limit} ${unit}` : `be ${word} ${limit}`;
}

/** The first thing that is wrong, with the name of the field that it is about. */
export function describeFirstIssue({ issues }: z.core.$ZodError, whole: string): string {
  const [issue] = issues;
  if (!issue) return `${whole} is not valid.`;
  const path = issue.path.join(".");
  return `${path ? `Field ${path}` : whole} ${describeIssue(issue)}.`;
}
