/** Control and format characters (zero width, bidi, tags), which could hide or reorder text. */
const invisible = /[^\P{Cc}\t\n\r]|\p{Cf}/gu;
/** Our own tags and the host's, which a model would interpret. */
const meaningfulTag =
  /<(?=\s*\/?\s*(?:rookery|system|user|assistant|human|task-notification|cross-session|private))/gi;

/** Removes invisible characters. */
export function stripInvisible(text: string): string {
  return text.replace(invisible, "");
}

/** Makes untrusted text safe inside our fences: it can neither close them nor impersonate a speaker. */
export function defuse(text: string): string {
  return stripInvisible(text).replace(meaningfulTag, "&lt;");
}
