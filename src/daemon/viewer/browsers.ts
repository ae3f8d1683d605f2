import { createPublicKey, randomBytes, verify } from "node:crypto";
import * as z from "zod";
import { ageMs, type Clock, dayMs } from "../../shared/clock.ts";
import { parseJson } from "../../shared/json.ts";
import type { MetaTable } from "../../store/meta.ts";

/**
 * Browsers that a person signed in with a one-time code. Only public keys are stored: a browser proves its identity by
 * a signature with a private key that it does not export, and that pages of other origins, ports included, cannot use.
 */
export interface Browsers {
  /** The new browser's id; undefined if the key is invalid. */
  remember(publicKey: string): string | undefined;
  isSigned(browser: string, message: string, signature: string): boolean;
  /** Returns the number of forgotten browsers. */
  forgetAll(): number;
}

const key = "browsers";
const lifeMs = 30 * dayMs;
/** More than a person uses; the oldest is forgotten first. */
const maxBrowsers = 16;

const remembered = z.object({
  id: z.string(),
  publicKey: z.string(),
  /** On another port, another program may have served the page. */
  port: z.number(),
  at: z.number(),
});
type Remembered = z.infer<typeof remembered>;

export function openBrowsers(meta: MetaTable, clock: Clock, port: () => number): Browsers {
  function list(): Remembered[] {
    const parsed = z.array(remembered).safeParse(parseJson(meta.get(key) ?? "[]"));
    return parsed.success ? parsed.data.filter(({ at }) => ageMs(at, clock()) < lifeMs) : [];
  }

  return {
    remember(publicKey) {
      if (!readKey(publicKey)) return undefined;
      const id = randomBytes(12).toString("base64url");
      const others = list().filter((each) => each.publicKey !== publicKey);
      const all = [...others, { id, publicKey, port: port(), at: clock() }];
      meta.set(key, JSON.stringify(all.slice(-maxBrowsers)));
      return id;
    },
    isSigned(browser, message, signature) {
      const found = list().find(({ id }) => id === browser);
      const publicKey = found?.port === port() ? readKey(found.publicKey) : undefined;
      if (!publicKey) return false;
      const bytes = Buffer.from(signature, "base64url");
      return verify("sha256", Buffer.from(message), { key: publicKey, dsaEncoding: "ieee-p1363" }, bytes);
    },
    forgetAll() {
      const count = list().length;
      meta.remove(key);
      return count;
    },
  };
}

/** A P-256 key in the format of the Web Crypto API. */
function readKey(publicKey: string): ReturnType<typeof createPublicKey> | undefined {
  try {
    const read = createPublicKey({ key: Buffer.from(publicKey, "base64url"), format: "der", type: "spki" });
    return read.asymmetricKeyDetails?.namedCurve === "prime256v1" ? read : undefined;
  } catch {
    return undefined; // Not a key.
  }
}
