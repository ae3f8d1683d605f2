/** Excludes letters and digits that are easily confused when read from a screen and typed on a phone. */
const alphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const length = 6;
/** A code has at least one digit, so that a word such as "thanks" in a channel is not mistaken for one. */
const shape = new RegExp(`^(?=.*[2-9])[${alphabet}]{${length}}$`);

export const pairingMs = 3_600_000;
export const maxPending = 3;
/** After this many wrong codes from anyone, all pending codes are void, so 31^6 codes cannot be brute-forced. */
export const maxWrongCodes = 5;

/** Makes a code from random bytes. Bytes that would bias the result are skipped, so pass some extra. */
export function makePairingCode(random: Uint8Array): string {
  const fair = 256 - (256 % alphabet.length);
  const letters = [...random].filter((byte) => byte < fair).map((byte) => alphabet[byte % alphabet.length]);
  if (letters.length < length) throw new Error("not enough random bytes for a pairing code");
  return letters.slice(0, length).join("");
}

/** Normalises typed text to a code, ignoring case, spaces and hyphens. Undefined if it cannot be a code. */
export function readPairingCode(text: string): string | undefined {
  const code = text.replace(/[\s-]/g, "").toUpperCase();
  return shape.test(code) ? code : undefined;
}
