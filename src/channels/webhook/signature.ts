import { createHmac, timingSafeEqual } from "node:crypto";

/** The headers of Standard Webhooks (https://www.standardwebhooks.com). */
export interface SignedHeaders {
  "webhook-id": string;
  "webhook-timestamp": string;
  "webhook-signature": string;
}

/** A signed request counts for this long, before and after its time. */
const toleranceMs = 5 * 60_000;

/** `secret` is `whsec_` and base64. The signature covers the id, the time and the exact body. */
export function sign(secret: string, id: string, atMs: number, body: string): SignedHeaders {
  const timestamp = String(Math.floor(atMs / 1000));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${digest(secret, id, timestamp, body).toString("base64")}`,
  };
}

/** The id of a request with a valid and recent signature, or why it is refused. */
export function verify(
  secret: string,
  header: (name: keyof SignedHeaders) => string | undefined,
  body: string,
  nowMs: number,
): { id: string } | { refusal: string } {
  const id = header("webhook-id") ?? "";
  const timestamp = header("webhook-timestamp") ?? "";
  if (!/^[\w.:-]{1,200}$/.test(id)) return { refusal: "webhook-id is missing or malformed" };
  if (!/^\d{1,12}$/.test(timestamp)) return { refusal: "webhook-timestamp is missing or malformed" };
  const expected = digest(secret, id, timestamp, body);
  const isSigned = (header("webhook-signature") ?? "")
    .slice(0, 2_000)
    .split(" ")
    .some((each) => each.startsWith("v1,") && isSame(Buffer.from(each.slice(3), "base64"), expected));
  if (!isSigned) return { refusal: "the signature does not match" };
  if (Math.abs(nowMs - Number(timestamp) * 1000) > toleranceMs)
    return { refusal: "the request is too old, or the clocks differ by more than five minutes" };
  return { id };
}

function digest(secret: string, id: string, timestamp: string, body: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
