import { pbkdf2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify(pbkdf2);
const saltBytes = 16;
const keyBytes = 32;
const rounds = 210_000;
const digest = "sha512";

/**
 * Returns `pbkdf2:rounds:salt:key`, base64. Takes a tenth of a second in the thread pool, so requests are not blocked. Not
 * scrypt: each pool thread would keep its 16 MB, more than the rest of the server uses.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const key = await derive(password.normalize("NFKC"), salt, rounds, keyBytes, digest);
  return `pbkdf2:${rounds}:${salt.toString("base64")}:${key.toString("base64")}`;
}

/** Takes the same time without a stored password, so that timing does not reveal which users exist. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, count = String(rounds), salt = "", key = ""] = stored?.split(":") ?? [];
  const expected = Buffer.from(key, "base64");
  const given = password.normalize("NFKC");
  const actual = await derive(given, Buffer.from(salt, "base64"), Number(count), keyBytes, digest);
  return expected.length === keyBytes && timingSafeEqual(expected, actual);
}
