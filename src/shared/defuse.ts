/** Control and format characters (zero width, bidi, tags): nothing may hide in a text or turn it round. */
const invisible = /[^\P{Cc}\t\n\r]|\p{Cf}/gu;
/** Tags that carry meaning for the model may not come out of a text: ours, and the host's own. */
const meaningfulTag =
  /<(?=\s*\/?\s*(?:rookery|system|user|assistant|human|task-notification|cross-session|private))/gi;

/** For what people read: nothing that cannot be seen is left. */
export function stripInvisible(text: string): string {
  return text.replace(invisible, "");
}

/** A text from anywhere, made safe to stand inside our fences: it can neither close them nor pose as somebody. */
export function defuse(text: string): string {
  return stripInvisible(text).replace(meaningfulTag, "&lt;");
}
