import { expect, test } from "vitest";
import { sign, type SignedHeaders, verify } from "./signature.ts";

/** Signed with the reference library, `standardwebhooks` 1.1.1. */
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLwSw";
const id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const at = 1_614_265_330_000;
const body = '{"test": 2432232314}';
const signed = sign(secret, id, at, body);

const check = (headers: Partial<SignedHeaders>, text = body, nowMs = at): object =>
  verify(secret, (name) => headers[name], text, nowMs);

test("signs as the reference library does", () => {
  expect(signed["webhook-signature"]).toBe("v1,pZN3CVESPCUuihODVQNgWONmlcH9xCz9b1ykcK53XqY=");
  expect(check(signed)).toEqual({ id });
  const several = `v1,AAAA v2,x ${signed["webhook-signature"]}`;
  expect(check({ ...signed, "webhook-signature": several })).toEqual({ id });
});

test.each<[string, Partial<SignedHeaders>, string, number]>([
  ["another body", signed, `${body} `, at],
  ["another id", { ...signed, "webhook-id": "msg_2" }, body, at],
  ["another time", { ...signed, "webhook-timestamp": "1614265331" }, body, at],
  ["no signature", { ...signed, "webhook-signature": "" }, body, at],
  ["an empty signature", { ...signed, "webhook-signature": "v1," }, body, at],
  [
    "another version",
    { ...signed, "webhook-signature": signed["webhook-signature"].replace("v1", "v2") },
    body,
    at,
  ],
  ["no headers", {}, body, at],
  ["an old request", signed, body, at + 301_000],
  ["a request from the future", signed, body, at - 301_000],
])("refuses %s", (_name, headers, text, nowMs) => {
  expect(check(headers, text, nowMs)).toHaveProperty("refusal");
});
