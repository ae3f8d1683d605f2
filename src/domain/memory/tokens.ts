/**
 * Estimates the number of tokens of a text; wherever it is shown, it is labelled as an estimate. Tokenizers split
 * words, numbers and symbols differently, and Chinese, Japanese and Korean nearly character by character. The usual
 * rule of four characters per token is a quarter too low for tables of ids and times, such as the index. `npm run
 * bench:recall` compares this with a real tokenizer. A single pass without regular expressions, because hooks wait for
 * it.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let kind: Kind = "space";
  let length = 0;
  for (let at = 0; at <= text.length; at++) {
    const next = at < text.length ? kindOf(text.charCodeAt(at)) : "end";
    if (next === kind) length++;
    else {
      tokens += costOf(kind, length);
      kind = next;
      length = 1;
    }
  }
  return Math.ceil(tokens);
}

type Kind = "word" | "number" | "sign" | "glyph" | "line" | "space" | "end";

function kindOf(code: number): Kind {
  if (code === 10) return "line";
  if (code <= 32) return "space";
  if (code >= 48 && code <= 57) return "number";
  const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  if (isLetter) return "word";
  if (code < 192) return "sign";
  // General punctuation and arrows; then the scripts written without spaces.
  if (code >= 0x2000 && code < 0x2e80) return "sign";
  return code >= 0x2e80 && code < 0xd800 ? "glyph" : "word";
}

function costOf(kind: Kind, length: number): number {
  if (kind === "word") return Math.max(1, length / 7);
  if (kind === "number") return Math.ceil(length / 3);
  if (kind === "sign") return Math.ceil(length / 2);
  if (kind === "glyph") return length;
  return kind === "line" ? 1 : 0;
}
