/** How many columns of a terminal a text takes: `漢` and `🦊` take two, an accent on its letter none. */
export function displayWidth(text: string): number {
  if (isPlain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += widthOf(segment);
  return width;
}

/** The text on one line, cut where it would be wider than this. */
export function shorten(text: string, width: number): string {
  return cut(text.replace(/\s+/g, " ").trim(), width);
}

/** Cut where it would be wider than this, and otherwise as it is. */
export function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let room = width - 1;
  for (const { segment } of graphemes.segment(text)) {
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
const graphemes = new Intl.Segmenter();
/** Shown as a picture: by default, by the variation selector for it, as a flag, or as a key cap. */
const picture = /^\p{Emoji_Presentation}|\ufe0f|^\p{Regional_Indicator}{2}/u;
/** Scripts and signs that Unicode calls wide. */
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303e\u30fb\u30fc\uff01-\uff60\uffe0-\uffe6]/u;
const halfwidthKana = /^[\uff61-\uff9f\uffa0-\uffdc]/;
const nothing = /^[\p{Mark}\p{Cf}\p{Cc}]+$/u;

function widthOf(grapheme: string): number {
  if (nothing.test(grapheme)) return 0;
  if (halfwidthKana.test(grapheme)) return 1;
  return picture.test(grapheme) || wide.test(grapheme) ? 2 : 1;
}
