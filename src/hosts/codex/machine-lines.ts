import { isWakeLine } from "../wake-line.ts";

const reasonStart = "The user does not allow this: ";

/** The person's reason for denying a call, added to the turn: Codex takes no reason with a denial. */
export function makeReasonLine(reason: string): string {
  return reasonStart + reason;
}

/** Codex reports our lines as prompts, but the person did not type them in the terminal. */
export function isMachineLine(text: string): boolean {
  return isWakeLine(text) || text.startsWith(reasonStart);
}
