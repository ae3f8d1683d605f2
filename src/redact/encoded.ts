import { findAssignment } from "./assignment.ts";
import { findAddressPassword } from "./by-syntax.ts";
import type { Finding } from "./finding.ts";

const words = ["PASSWORD", "SECRET", "TOKEN", "_KEY=", "PASS=", "password", "secret", "token", "passwd"];
const schemes = ["postgres", "mysql://", "mongodb", "redis://", "rediss://", "amqp://", "https://"];
const before = 64;
const after = 160;
const inside = /[A-Za-z0-9+/]/;

/** A word in base64, for each of its three possible offsets within a group of three bytes. */
export const encodedWords: readonly { literal: string; phase: number }[] = [
  { literal: btoa("-----BEGIN ").slice(0, 14), phase: 0 },
  ...schemes.map((scheme) => encodeAt(scheme, 0)),
  ...words.flatMap((word) => [0, 1, 2].map((offset) => encodeAt(word, offset))),
];

function encodeAt(word: string, offset: number): { literal: string; phase: number } {
  const encoded = btoa("\0".repeat(offset) + word).replace(/=+$/, "");
  // The first and last characters also contain bits of adjacent bytes.
  const phase = offset === 0 ? 0 : offset + 1;
  const whole = Math.floor(((offset + word.length) * 8) / 6);
  return { literal: encoded.slice(phase, whole), phase };
}

/**
 * A base64 run that decodes to text with a secret, such as an environment file. `phase`: the offset of `at` in its
 * group of four characters.
 */
export function findEncoded(text: string, at: number, phase: number): Finding | undefined {
  let start = at;
  while (at - start < before && inside.test(text[start - 1] ?? " ")) start--;
  const from = start + ((at - phase - start) & 3);
  let to = at;
  while (to - at < after && inside.test(text[to] ?? " ")) to++;
  const decoded = Buffer.from(text.slice(from, to), "base64").toString("latin1");
  if (!containsSecret(decoded)) return undefined;
  const rest = /[A-Za-z0-9+/]*={0,2}/y;
  rest.lastIndex = to;
  rest.test(text);
  return { start: startOfRun(text, start), end: rest.lastIndex, kind: "encoded" };
}

function containsSecret(decoded: string): boolean {
  if (/-BEGIN [A-Z ]{0,30}PRIVATE KEY/.test(decoded)) return true;
  for (let index = 0; index < decoded.length; index++) {
    const sign = decoded[index];
    if ((sign === "=" || sign === ":") && findAssignment(decoded, index) !== undefined) return true;
    if (sign === ":" && findAddressPassword(decoded, index) !== undefined) return true;
  }
  return false;
}

/** Called once for each finding, so the run is read at most once. */
function startOfRun(text: string, from: number): number {
  let start = from;
  while (inside.test(text[start - 1] ?? " ")) start--;
  return start;
}
