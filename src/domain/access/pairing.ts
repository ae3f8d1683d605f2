/** No letter or digit that is taken for another one when it is read from a screen and typed on a phone. */
const alphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const length = 6;
const shape = new RegExp(`^[${alphabet}]{${length}}$`);

export const pairingMs = 3_600_000;
export const maxPending = 3;
/** So many wrong codes, from whomever, void all that are pending: 31^6 codes cannot be tried out. */
export const maxWrongCodes = 5;

/** A code out of random bytes; those that would make some letters likelier are left out, so give some to spare. */
export function makePairingCode(random: Uint8Array): string {
  const fair = 256 - (256 % alphabet.length);
  const letters = [...random].filter((byte) => byte < fair).map((byte) => alphabet[byte % alphabet.length]);
  if (letters.length < length) throw new Error("too little randomness for a pairing code");
  return letters.slice(0, length).join("");
}

/** What somebody typed as the code it may be: case, blanks and hyphens do not count. Undefined if it cannot be one. */
export function readPairingCode(text: string): string | undefined {
  const code = text.replace(/[\s-]/g, "").toUpperCase();
  return shape.test(code) ? code : undefined;
}
