/** Words that occur in nearly every sentence and carry no topic. */
const stopWords = new Set(
  (
    "a about an and any are as at be been but by can could did do does for from get had has have he her him his how i if in " +
    "into is it its just let me my no not of on or our out she should so some than that the their them then there these they " +
    "this those to too up us was we were what when where which who why will with would you your"
  ).split(" "),
);

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

/** Letters and digits beyond ASCII, or signs that may be some; dashes, quotes, arrows and lines are none. */
const maybeForeign = /[^\0-\x7f\u2010-\u205e\u2190-\u21ff\u2500-\u257f]/;

/** Lower-case runs of letters and digits, as the index's tokenizer sees them before stemming. */
export function listWords(text: string): string[] {
  const lower = text.toLowerCase();
  // Fast path: nearly all words are ASCII, and every stored or compared text passes through here.
  return lower.match(maybeForeign.test(lower) ? /[\p{L}\p{N}]+/gu : /[a-z0-9]+/g) ?? [];
}

const identifier = /[\p{L}\p{N}_$][\p{L}\p{N}_$./-]*/gu;
const isCompound = /[_$./-]|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}\p{N}|\p{N}\p{L}/u;
const asciiIdentifier = /[\w$][\w$./-]*/g;
const isAsciiCompound = /[_$./-]|[a-z][A-Z]|[A-Z][A-Z][a-z]|[A-Za-z][0-9]|[0-9][A-Za-z]/;

/**
 * The parts of identifiers and paths, and each compound as one word: `retryDelayMs` gives `retry delay ms
 * retrydelayms`, so that both "retry delay" and `retry_delay_ms` find it. The index cannot do this itself:
 * tokenizers cannot be written in JavaScript.
 */
export function splitIdentifiers(text: string): string[] {
  const pieces: string[] = [];
  const isPlain = !maybeForeign.test(text);
  for (const word of text.match(isPlain ? asciiIdentifier : identifier) ?? []) {
    if (!(isPlain ? isAsciiCompound : isCompound).test(word)) continue;
    const parts = splitCompound(word);
    if (parts.length < 2) continue;
    pieces.push(...parts);
    if (parts.length <= 6) pieces.push(parts.join(""));
  }
  return pieces;
}

const isAscii = /^[!-~]*$/;
const asciiPart = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

function splitCompound(word: string): string[] {
  // Fast path: nearly all words are ASCII, and every stored or shown text passes through here.
  if (isAscii.test(word)) return (word.match(asciiPart) ?? []).map((part) => part.toLowerCase());
  return word
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L})(\p{N})/gu, "$1 $2")
    .replace(/(\p{N})(\p{L})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((part) => part.toLowerCase());
}
