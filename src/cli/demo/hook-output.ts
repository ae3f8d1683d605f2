import { claudeCode } from "../../hosts/claude-code/claude-code.ts";

/** The context that a hook's output gives the model; empty where it printed nothing. */
export function contextOf(printed: string): string {
  return claudeCode.replies.read(printed).context ?? "";
}
