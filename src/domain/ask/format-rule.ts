import type { SessionRule } from "./question.ts";

/** A rule as it is shown to the person. */
export function formatRule({ toolName, ruleContent }: SessionRule): string {
  return ruleContent === null ? toolName : `${toolName}(${ruleContent})`;
}
