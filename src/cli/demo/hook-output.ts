import { parseJson } from "../../shared/json.ts";

/** What a hook's output brings before the model; empty where it printed nothing. */
export function contextOf(printed: string): string {
  if (!printed) return "";
  const { hookSpecificOutput } = parseJson(printed) as {
    hookSpecificOutput?: { additionalContext?: string };
  };
  return hookSpecificOutput?.additionalContext ?? "";
}
