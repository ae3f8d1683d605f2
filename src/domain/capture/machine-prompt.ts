/** The host submits prompts of its own (a wake, a message from another session): they are not the human's words. */
const machinePrefixes = ["<task-notification>", "<cross-session-message"];

export function isMachinePrompt(prompt: string): boolean {
  const start = prompt.trimStart();
  return machinePrefixes.some((prefix) => start.startsWith(prefix));
}
