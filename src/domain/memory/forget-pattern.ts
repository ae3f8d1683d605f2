/**
 * Matches a phrase in any stored form: in any case, with any white space between its words, and inside JSON, where
 * quotes, backslashes and line breaks are escaped, several times in nested JSON. Returns the source of a regular
 * expression for the flags `iu`.
 */
export function makePhrasePattern(phrase: string): string {
  return phrase.trim().split(/\s+/u).map(escapeWord).join(String.raw`(?:\s|\\+(?:[nrtf]|u000b))+`);
}

/** The same for a file path: `db.ts` matches `src/db.ts`, but not `mydb.ts` or `db.tsx`. */
export function makePathPattern(path: string): string {
  const parts = path.split(/[\\/]+/).map((part) => makePhrasePattern(part));
  return String.raw`(?<![\p{L}\p{N}_.-])${parts.join(String.raw`(?:\/|\\+)`)}(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])`;
}

/** Backslashes as one repetition, together with a quote after them: several in a row would take exponential time. */
function escapeWord(word: string): string {
  return (word.match(/\\+"?|[^\\]/gu) ?? []).map(escapePart).join("");
}

function escapePart(part: string): string {
  if (!part.startsWith("\\")) return escapeCharacter(part);
  const quote = part.endsWith('"') ? '"' : "";
  return String.raw`\\{${part.length - quote.length},}${quote}`;
}

function escapeCharacter(character: string): string {
  if (character === '"') return String.raw`\\*"`;
  const code = character.codePointAt(0) ?? 0;
  const written = /[\^$*+?.()|[\]{}/]/.test(character) ? `\\${character}` : character;
  if (character === "\b") return String.raw`(?:\x08|\\+b)`;
  // All JSON writers escape control characters, some all non-ASCII characters and HTML special characters.
  const mayBeSpelt = code < 0x20 || code > 0x7e || "<>&'".includes(character);
  return mayBeSpelt ? `(?:${written}|${spell(character)})` : written;
}

function spell(character: string): string {
  return Array.from(
    { length: character.length },
    (_unit, at) => String.raw`\\+u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
}
