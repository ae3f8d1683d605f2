import { toOneLine } from "../shared/text.ts";

/** The number of terminal columns of a text: `漢` and `🦊` take two, a combining accent none. */
export function displayWidth(text: string): number {
  if (isPlain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of splitGraphemes(text)) width += widthOf(segment);
  return width;
}

/** The text on one line, truncated to this width. */
export function truncateLine(text: string, width: number): string {
  return truncateToWidth(toOneLine(text), width);
}

/** Truncates to this width. */
export function truncateToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let room = width - 1;
  for (const { segment } of splitGraphemes(text)) {
    room -= widthOf(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - displayWidth(text))) + text;
}

const isPlain = /^[\x20-\x7e]*$/;
let graphemes: Intl.Segmenter | undefined;

/** Created on first use: this takes longer than everything else that most commands do. */
function splitGraphemes(text: string): Intl.Segments {
  graphemes ??= new Intl.Segmenter();
  return graphemes.segment(text);
}

/** Emoji: by default, by variation selector, flags and keycaps. */
const emoji = /^\p{Emoji_Presentation}|\ufe0f|^\p{Regional_Indicator}{2}/u;
/** Scripts and symbols that Unicode classifies as wide. */
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303e\u30fb\u30fc\uff01-\uff60\uffe0-\uffe6]/u;
const halfwidthKana = /^[\uff61-\uff9f\uffa0-\uffdc]/;
const zeroWidth = /^[\p{Mark}\p{Cf}\p{Cc}]+$/u;

function widthOf(grapheme: string): number {
  if (zeroWidth.test(grapheme)) return 0;
  if (halfwidthKana.test(grapheme)) return 1;
  return emoji.test(grapheme) || wide.test(grapheme) ? 2 : 1;
}
