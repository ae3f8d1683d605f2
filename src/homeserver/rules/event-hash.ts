import { createHash, hash } from "node:crypto";
import { canonicalJson, type JsonObject } from "../json.ts";
import { redactEvent } from "./redact.ts";
import type { RoomVersion } from "./room-version.ts";

/** `hashes.sha256` of an event without `unsigned`, `signatures` and `hashes`, given as canonical JSON. */
export function hashContent(canonical: string): string {
  return hash("sha256", canonical, "base64").replace(/=+$/, "");
}

/** `$` and the hash of the redacted event, so that redacting an event does not change its id. */
export function makeEventId(pdu: JsonObject, version: RoomVersion): string {
  const { unsigned: _unsigned, signatures: _signatures, ...rest } = redactEvent(pdu, version);
  const hash = createHash("sha256").update(canonicalJson(rest));
  return `$${hash.digest(version.eventIds === "base64" ? "base64" : "base64url").replace(/=+$/, "")}`;
}
