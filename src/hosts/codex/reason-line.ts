const start = "The user does not allow this: ";

/** The person's reason for denying a call, added to the turn: Codex takes no reason with a denial. */
export function makeReasonLine(reason: string): string {
  return start + reason;
}

/** Codex reports the line as a prompt, but the person did not type it in the terminal. */
export function isReasonLine(text: string): boolean {
  return text.startsWith(start);
}
