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

/** Describes a problem, to be appended to the field's name: `must be at most 65535`. */
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
    default:
      // Messages of our own rules continue the sentence.
      return issue.message.startsWith("must ") ? issue.message : `is not valid: ${issue.message}`;
  }
}

function describeLimit(word: "at least" | "at most", limit: number | bigint, origin: string): string {
  const unit = units[origin];
  return unit ? `have ${word} ${limit} ${unit}` : `be ${word} ${limit}`;
}

/** Describes the first problem, with the field's name; `subject` names the value as a whole. */
export function describeFirstIssue({ issues }: z.core.$ZodError, subject: string): string {
  const [issue] = issues;
  if (!issue) return `${subject} is not valid.`;
  if (issue.code === "unrecognized_keys")
    return `Unknown field "${[...issue.path, issue.keys[0]].join(".")}".`;
  const path = issue.path.join(".");
  return `${path ? `Field ${path}` : subject} ${describeIssue(issue)}.`;
}
