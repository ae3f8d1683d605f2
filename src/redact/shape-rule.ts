/**
 * A secret that is known by its looks: a literal every sample holds, and the form around it.
 * The literal is the prefilter: the form is tried only where it stands in the text.
 */
export interface ShapeRule {
  kind: string;
  /** Literals of at least two ASCII characters; each is looked for in exactly this case. */
  at: readonly string[];
  /** Sticky. Matches from the literal (or `back` before it); group 1, if there is one, ends the match and is the secret. */
  shape: RegExp;
  /** How many characters of the secret stand before the literal. */
  back?: number;
  /** The literal is common in ordinary text: what is hidden must also look random. */
  random?: boolean;
  /** May follow a letter or digit directly. */
  inside?: boolean;
}

/** Letters that end a token: nothing of the same alphabet may follow. */
const end = "(?![A-Za-z0-9])";

/** A rule for a token that is a literal prefix and then `length` characters of an alphabet. */
export function token(
  kind: string,
  at: string | readonly string[],
  alphabet: string,
  length: string,
): ShapeRule {
  const literals = typeof at === "string" ? [at] : at;
  const prefix = literals.map(escape).join("|");
  const shape = new RegExp(`(?:${prefix})[${alphabet}]{${length}}${length.endsWith(",") ? "" : end}`, "y");
  return { kind, at: literals, shape };
}

function escape(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

export const hex = "a-f0-9";
export const anyHex = "A-Fa-f0-9";
export const alnum = "A-Za-z0-9";
export const lower = "a-z0-9";
export const word = "A-Za-z0-9_";
export const slug = "A-Za-z0-9_\\-";
export const uuid = "[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}";
