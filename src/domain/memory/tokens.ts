/** Words, numbers and signs: a tokenizer takes them apart in different ways, and Chinese, Japanese and Korean by the sign. */
const piece =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|(?<word>\p{L}+)|(?<number>\p{N}+)|(?<signs>[^\s\p{L}\p{N}]+)|(?<line>\n\s*)/gu;

/**
 * About how many tokens a text has: an estimate, and said to be one wherever it is shown. Four characters a token, the
 * usual rule, is a quarter too low for tables of ids and times, which is what the index is. `npm run bench:recall` measures
 * this against a real tokenizer.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const { groups } of text.matchAll(piece)) {
    if (groups?.word) tokens += Math.max(1, groups.word.length / 6);
    else if (groups?.number) tokens += Math.ceil(groups.number.length / 2);
    else if (groups?.signs) tokens += Math.ceil(groups.signs.length / 2);
    else tokens += groups?.line ? 0.5 : 1;
  }
  return Math.ceil(tokens);
}
