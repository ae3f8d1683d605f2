/**
 * A secret with a recognisable form: a literal that every instance contains, and the pattern around it. The literal is
 * the prefilter: the pattern is only tried where the literal occurs.
 */
export interface ShapeRule {
  kind: string;
  /** Literals of at least two ASCII characters; case-sensitive. */
  at: readonly string[];
  /**
   * Sticky. Matches from the literal (or `back` characters before it); group 1, if present, ends the match and is
   * the secret.
   */
  shape: RegExp;
  /** Number of characters of the secret before the literal. */
  back?: number;
  /** The literal is common in ordinary text: the secret must also look random. */
  random?: boolean;
  /** May directly follow a letter or digit. */
  inside?: boolean;
}

/** End of a token: no further character of the same alphabet. */
const end = "(?![A-Za-z0-9])";

/** A rule for a token that consists of a literal prefix and `length` characters of an alphabet. */
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
