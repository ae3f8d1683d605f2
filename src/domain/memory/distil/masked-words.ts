/** Words with code, paths and numbers masked: the scorer must not learn a project's names. */
export function maskedWords(text: string): string[] {
  return (
    text
      .replace(/`[^`]*`/g, " ⓒ ")
      .replace(/https?:\S+/g, " ⓤ ")
      .replace(/[\w.-]*\/[\w./-]+/g, " ⓟ ")
      .toLowerCase()
      .replace(/\d+(?:[.,]\d+)*/g, "#")
      .match(/[\p{L}']+|#|ⓒ|ⓤ|ⓟ|[?!:→]/gu) ?? []
  ).flatMap((token) => (isCjk.test(token) ? bigrams(token) : [token]));
}

const isCjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function bigrams(text: string): string[] {
  const letters = Array.from(text);
  return letters.length < 2 ? letters : letters.slice(1).map((letter, n) => `${letters[n]}${letter}`);
}
