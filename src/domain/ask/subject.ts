/** Control and format characters, line separators other than line breaks, and letters that look blank. */
const hiddenCharacters = /[^\P{Cc}\t\n]|\p{Cf}|\p{Zl}|\p{Zp}|[\u115F\u1160\u2800\u3164\uFFA0]/gu;

/** Shows invisible characters by their code: a person consents to this text, so it must read exactly as it runs. */
export function revealInvisible(text: string): string {
  return text.replace(
    hiddenCharacters,
    (found) => `[U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}
