/** Han, kana and Hangul: scripts that put no spaces between words, or attach endings to them. */
const unspacedRun = /[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]&&\p{L}]+/gv;
const isBeyondLatin = /[\u0250-\uffff]/;
/** One-syllable endings of Korean nouns. */
const koreanEndings = new Set("은는이가을를에의로와과도만");

/**
 * Text as the index stores it. The tokenizer treats a run of Chinese, Japanese or Korean characters as one word; here
 * it becomes overlapping pairs, which also keeps phrases searchable. Half-width and full-width forms are unified.
 */
export function segment(text: string): string {
  if (!isBeyondLatin.test(text)) return text;
  return text.normalize("NFKC").replace(unspacedRun, (run) => ` ${listPairs(run).join(" ")} `);
}

export function isUnspaced(word: string): boolean {
  return word.match(unspacedRun)?.[0] === word;
}

function listPairs(run: string): string[] {
  const letters = Array.from(run);
  if (letters.length === 1) return letters;
  const pairs = letters.slice(1).map((letter, n) => `${letters[n]}${letter}`);
  const [noun = "", ending = ""] = letters;
  // A noun of one syllable forms no pair on its own.
  return letters.length === 2 && koreanEndings.has(ending) ? [noun, ...pairs] : pairs;
}
