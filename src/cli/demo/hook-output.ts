import { claudeCode } from "../../hosts/claude-code/claude-code.ts";

/** The context in a hook's output; empty if it printed nothing. */
export function contextOf(printed: string): string {
  return claudeCode.replies.read(printed).context ?? "";
}
