import { setTimeout as delay } from "node:timers/promises";
import { pbkdf2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { RateLimit } from "./rate-limits.ts";

/** Checks passwords. Slows down guessing without ever locking the user out. */
export interface PasswordChecks {
  /**
   * The right password is always accepted. A wrong one returns false, or throws `M_LIMIT_EXCEEDED` after too many others.
   */
  check(userId: string, password: string, stored: string | undefined): Promise<boolean>;
}

const pauseMs = 200;
/** Maximum queued attempts per user: more than a browser has connections to one server. */
const maxWaiting = 256;

/** Attempts above the limit are checked one at a time per user, with a pause after each wrong one. */
export function openPasswordChecks(limit: RateLimit): PasswordChecks {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>();

  async function checkSlowly(password: string, stored: string | undefined): Promise<boolean> {
    if (await isPassword(password, stored)) return true;
    await delay(pauseMs);
    return false;
  }

  async function enqueue(userId: string, check: () => Promise<boolean>, limited: Error): Promise<true> {
    const queue = queues.get(userId) ?? { last: Promise.resolve(), length: 0 };
    if (queue.length >= maxWaiting) throw limited;
    queues.set(userId, queue);
    queue.length++;
    const checked = queue.last.then(check);
    queue.last = checked.catch(() => {}); // The caller gets the error; the next attempt is checked anyway.
    try {
      if (await checked) return true;
      throw limited;
    } finally {
      queue.length--;
      if (queue.length === 0) queues.delete(userId);
    }
  }

  return {
    async check(userId, password, stored) {
      const limited = limit.tryTake(userId);
      if (limited) return enqueue(userId, () => checkSlowly(password, stored), limited);
      const isCorrect = await isPassword(password, stored);
      if (isCorrect) limit.refund(userId);
      return isCorrect;
    },
  };
}

const derive = promisify(pbkdf2);
const saltBytes = 16;
const keyBytes = 32;
const rounds = 210_000;
const digest = "sha512";

/**
 * Returns `pbkdf2:rounds:salt:key`, base64. Takes a tenth of a second in the thread pool, so requests are not blocked. Does
 * not use scrypt: each pool thread would keep the 16 MB it needs, which is more than the rest of the server uses.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const key = await derive(password.normalize("NFKC"), salt, rounds, keyBytes, digest);
  return `pbkdf2:${rounds}:${salt.toString("base64")}:${key.toString("base64")}`;
}

/** Takes the same time without a stored password, so that timing does not reveal which users exist. */
async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, count = String(rounds), salt = "", key = ""] = stored?.split(":") ?? [];
  const expected = Buffer.from(key, "base64");
  const given = password.normalize("NFKC");
  const actual = await derive(given, Buffer.from(salt, "base64"), Number(count), keyBytes, digest);
  return expected.length === keyBytes && timingSafeEqual(expected, actual);
}
