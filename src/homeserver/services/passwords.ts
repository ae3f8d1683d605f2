import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const deriveNow = promisify<string, Buffer, number, Buffer>(scrypt);
let last: Promise<unknown> = Promise.resolve();

/** One after the other: each takes 16 MB and a thread of a small pool that others need, too. */
function derive(password: string, salt: Buffer, bytes: number): Promise<Buffer> {
  const derived = last.then(() => deriveNow(password, salt, bytes));
  last = derived.catch(() => {}); // Whoever asked hears of it; the next in line need not.
  return derived;
}

const saltBytes = 16;
const keyBytes = 32;

/** `scrypt:salt:key`, base64. Runs off the thread: about 50 ms that nobody else waits for. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const key = await derive(password.normalize("NFKC"), salt, keyBytes);
  return `scrypt:${salt.toString("base64")}:${key.toString("base64")}`;
}

/** Takes as long for somebody without a password, so that time tells nobody who exists. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, salt = "", key = ""] = stored?.split(":") ?? [];
  const expected = Buffer.from(key, "base64");
  const actual = await derive(password.normalize("NFKC"), Buffer.from(salt, "base64"), keyBytes);
  return expected.length === keyBytes && timingSafeEqual(expected, actual);
}
