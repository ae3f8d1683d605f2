/** Control and format characters: zero width, bidi, tags. */
const invisible = /[^\P{Cc}\t\n]|\p{Cf}/gu;

/**
 * A text as it is, with what cannot be seen written out: an approval must not show less than it allows, and nothing may
 * turn a line round.
 */
export function showInvisible(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(invisible, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** For the one field that Slack reads as markup, the push preview: one line, nothing in it a mention or a link. */
export function escapeText(text: string): string {
  return showInvisible(text)
    .replace(/\s+/g, " ")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
}

/** What a person typed, without what Slack made of it: links are unwrapped, the three escaped characters restored. */
export function unescapeText(text: string): string {
  return text
    .replace(/<(?:[^<>|]+)\|([^<>]*)>/g, "$1")
    .replace(/<([^<>]+)>/g, "$1")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&");
}
