/**
 * Prompts that Claude Code submits itself: a wake of a background task, a message from another session. It also records
 * the reason of a hook that stopped a prompt as one.
 */
const machinePrefixes = ["<task-notification>", "<cross-session-message", "Operation stopped by hook:"];

export function isMachinePrompt(prompt: string): boolean {
  const start = prompt.trimStart();
  return machinePrefixes.some((prefix) => start.startsWith(prefix));
}

/** The event of a background task, else its summary; the text of another session's message. */
export function readMachinePrompt(prompt: string): string {
  for (const tag of ["event", "summary"]) {
    const from = prompt.indexOf(`<${tag}>`);
    const to = prompt.lastIndexOf(`</${tag}>`);
    if (from >= 0 && to > from) return prompt.slice(from + tag.length + 2, to).trim();
  }
  const text = prompt.trim();
  const from = text.indexOf(">") + 1;
  const to = text.lastIndexOf("</");
  return to > from ? text.slice(from, to).trim() : text;
}

/** The text that Claude Code gives its model for a refused call, and where it contains the person's reason. */
export const refusal = {
  start: "The user doesn't want to proceed with this tool use.",
  beforeReason: "the user said:\n",
  afterReason: "\n\nNote: The user's next message",
};

export const interruption = "[Request interrupted by user";
export const continuation = "This session is being continued from a previous conversation";
