import { createPublicKey, verify } from "node:crypto";
import { canonicalJson, isObject, type JsonObject } from "../json.ts";

/** What stands in front of the 32 bytes of an ed25519 key in the form that node:crypto reads. */
const keyHead = Buffer.from("302a300506032b6570032100", "hex");
const keyBytes = 32;

/** Whether an object carries a good signature of this user by this key; `publicKey` is base64, padded or not. */
export function isSignedBy(signed: JsonObject, signer: string, keyId: string, publicKey: string): boolean {
  const { signatures, unsigned: _unsigned, ...content } = signed;
  const own = isObject(signatures) ? signatures[signer] : undefined;
  const signature = isObject(own) ? own[keyId] : undefined;
  const raw = Buffer.from(publicKey, "base64");
  if (typeof signature !== "string" || raw.length !== keyBytes) return false;
  const key = createPublicKey({ key: Buffer.concat([keyHead, raw]), format: "der", type: "spki" });
  return verify(null, Buffer.from(canonicalJson(content)), key, Buffer.from(signature, "base64"));
}
