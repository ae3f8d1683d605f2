import { truncate, toOneLine } from "./text.ts";

/**
 * Characters that could hide or reorder text: control and format characters (zero width, bidi, tags) and others without
 * a glyph, such as variation selectors that do not follow an emoji.
 */
export const invisible =
  /[^\P{Cc}\t\n\r]|\p{Cf}|(?!(?<=\p{Emoji})[\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}|\u2800/gu;
const listTags = (names: string): RegExp => new RegExp(`[<＜﹤](?=\\||\\s*(?:\\/\\s*)?(?:${names}))`, "gi");
const hostTags =
  "(?:system|developer|user|assistant|human|task-notification|cross-session|command-|local-command|bash-|tool[_-]|" +
  "function[_-]|antml:|environment[_-]|permissions?[_ -]|ide[_-]|session-start|persisted-output|new-diagnostics|" +
  "teammate-|hook[_-]|turn[_-])|(?:invoke|parameter|instructions?|reminder|important|channel|thinking)\\b";
/** The start of a tag of a host or a model format, which a model would interpret. */
export const hostTag = listTags(hostTags);
/** The same, and our own tags. */
const meaningfulTag = listTags(`rookery|private|${hostTags}`);

/** Removes invisible characters. */
export function stripInvisible(text: string): string {
  return text.replace(invisible, "");
}

/** Makes untrusted text safe inside our fences: it can neither close them nor impersonate a speaker. */
export function defuse(text: string): string {
  return stripInvisible(text).replace(meaningfulTag, "&lt;");
}

/** Untrusted text as a single line, truncated. */
export function defuseLine(text: string, limit = Number.POSITIVE_INFINITY): string {
  return truncate(toOneLine(defuse(text)), limit);
}

/** Untrusted text as the value of an attribute in double quotes. */
export function defuseAttribute(text: string): string {
  return defuseLine(text.replace(/["<>]/g, " "), 120);
}

/** Untrusted text in a list: its further lines are indented, so that none looks like an entry of the list. */
export function defuseEntry(text: string): string {
  return defuse(text).replace(/[\n\r\u2028\u2029]+/g, (breaks) => `${breaks}  `);
}
