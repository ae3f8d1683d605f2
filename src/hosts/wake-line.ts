/** The line that wakes a session. It reaches the model unfenced, so it only contains a number and names. */
export function makeWakeLine(count: number, senders: readonly string[]): string {
  const [messages, rest] =
    count === 1 ? ["1 new message", "It follows."] : [`${count} new messages`, "They follow."];
  return `Rookery: ${messages} from ${senders.join(", ")}. ${rest}`;
}

const pattern = /^Rookery: \d+ new messages? from \S[^\n]* (?:It follows|They follow)\.$/;

/** Whether a prompt is our own wake line, in hosts that submit it as a prompt. */
export function isWakeLine(text: string): boolean {
  return pattern.test(text.trim());
}
