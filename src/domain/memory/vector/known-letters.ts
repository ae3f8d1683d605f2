import { translateWords } from "../lexicon.ts";

const otherLetters = /[^\p{Script=Latin}\p{N}\p{P}\p{S}\p{Z}\p{C}\p{M}]+/gu;

const beyondAscii = /[^\0-\x7f]/;

/**
 * The part of a text that the word pieces cover. The vocabulary is English: for other scripts it only has single
 * letters, whose mean would make all texts of a language look alike. Chinese, Japanese and Korean words are replaced by
 * English ones. Undefined if most letters are of another script and too few words are known.
 */
export function keepKnownLetters(text: string): string | undefined {
  if (!beyondAscii.test(text)) return text;
  const translated = translateWords(text);
  if (translated !== undefined) return translated.replace(otherLetters, " ");
  const known = text.replace(otherLetters, " ");
  const latin = countLetters(known);
  return countLetters(text) - latin > latin ? undefined : known;
}

function countLetters(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0;
}
