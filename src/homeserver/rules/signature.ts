import { createPublicKey, verify } from "node:crypto";
import { canonicalJson, isObject, type JsonObject } from "../json.ts";

/** The DER prefix (SPKI) of a raw 32-byte ed25519 key. */
const spkiPrefix = Buffer.from("302a300506032b6570032100", "hex");
const keyBytes = 32;

/** Whether the object has a valid signature by this user's key. `publicKey` is base64, padded or not. */
export function isSignedBy(signed: JsonObject, signer: string, keyId: string, publicKey: string): boolean {
  const { signatures, unsigned: _unsigned, ...content } = signed;
  const own = isObject(signatures) ? signatures[signer] : undefined;
  const signature = isObject(own) ? own[keyId] : undefined;
  const raw = Buffer.from(publicKey, "base64");
  if (typeof signature !== "string" || raw.length !== keyBytes) return false;
  const key = createPublicKey({ key: Buffer.concat([spkiPrefix, raw]), format: "der", type: "spki" });
  return verify(null, Buffer.from(canonicalJson(content)), key, Buffer.from(signature, "base64"));
}
