/**
 * About how many tokens a text has: an estimate, and said to be one wherever it is shown. Tokenizers take words, numbers
 * and signs apart in different ways, and Chinese, Japanese and Korean nearly sign by sign. Four characters a token, the
 * usual rule, is a quarter too low for tables of ids and times, which is what the index is. `npm run bench:recall` measures
 * this against a real tokenizer. One pass and no pattern: hooks wait for it.
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
  // General punctuation and arrows; then the scripts that are written without spaces.
  if (code >= 0x2000 && code < 0x2e80) return "sign";
  return code >= 0x2e80 && code < 0xd800 ? "glyph" : "word";
}

function costOf(kind: Kind, length: number): number {
  if (kind === "word") return Math.max(1, length / 6);
  if (kind === "number" || kind === "sign") return Math.ceil(length / 2);
  if (kind === "glyph") return length;
  return kind === "line" ? 0.5 : 0;
}
