const contextStart = /^# (?:Context from my IDE setup|Files mentioned by the user):/;
const requestStart = "\n## My request for Codex:\n";

/** The person's own words: editors and the app put open files and attachments in front of them. */
export function readOwnWords(prompt: string): string {
  const at = contextStart.test(prompt) ? prompt.indexOf(requestStart) : -1;
  return at < 0 ? prompt : prompt.slice(at + requestStart.length);
}
