const tones = 8;

/** The style class of an agent's colour: the same for a name in every browser. */
export function toneOf(name: string): string {
  let hash = 0;
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return `tone tone-${hash % tones}`;
}
