/** Gemini CLI escapes the text of hooks, so neither tag appears inside. */
const [opening, closing] = ["<hook_context>", "</hook_context>"];

/** A prompt without the context in front of it: that is where a session without a terminal puts it. */
export function dropContextBefore(text: string): string {
  const end = text.startsWith(opening) ? text.indexOf(closing) : -1;
  return end < 0 ? text : text.slice(end + closing.length).trimStart();
}

/** A tool's result without the context after it. */
export function dropContextAfter(text: string): string {
  const whole = text.trimEnd();
  const start = whole.endsWith(closing) ? whole.lastIndexOf(opening) : -1;
  return start < 0 ? text : whole.slice(0, start).trimEnd();
}
