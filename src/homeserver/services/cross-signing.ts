import { parseJson } from "../../shared/json.ts";
import { canonicalJson, isObject, type JsonObject, makeDictionary } from "../json.ts";
import type { DeviceLists } from "./device-lists.ts";
import type { BatchedDatabase } from "./batched-database.ts";

export const keyUsages = ["master", "self_signing", "user_signing"] as const;
export type KeyUsage = (typeof keyUsages)[number];

/** The tables `cross_signing_keys` and `key_signatures`. */
interface CrossSigning {
  key(userId: string, usage: KeyUsage): JsonObject | undefined;
  set(userId: string, keys: Partial<Record<KeyUsage, JsonObject>>): void;
  addSignatures(signer: string, userId: string, target: string, signatures: JsonObject): void;
  /** The key with the signatures that this reader may see: the owner's and the reader's own. */
  withSignatures(key: JsonObject, userId: string, target: string, reader: string): JsonObject;
  /** The public part of the key, which serves as its id. */
  keyId(key: JsonObject): string;
  /** The full key id, with its algorithm, and the public part. */
  publicKey(key: JsonObject): [id: string, publicKey: string];
}

export function openCrossSigning(db: BatchedDatabase, lists: DeviceLists): CrossSigning {
  function key(userId: string, usage: KeyUsage): JsonObject | undefined {
    const row = db.get<{ key: string }>(
      "SELECT key FROM cross_signing_keys WHERE user = ? AND usage = ?",
      userId,
      usage,
    );
    return row && (parseJson(row.key) as JsonObject);
  }

  return {
    key,
    set(userId, keys) {
      const changed: KeyUsage[] = [];
      for (const usage of keyUsages) {
        const given = keys[usage];
        if (!given || canonicalJson(given) === canonicalJson(key(userId, usage))) continue;
        changed.push(usage);
        db.write(
          "INSERT OR REPLACE INTO cross_signing_keys (user, usage, key) VALUES (?, ?, ?)",
          userId,
          usage,
          JSON.stringify(given),
        );
      }
      // The user-signing key is private to its owner, so only the owner is notified of a change.
      if (changed.some((usage) => usage !== "user_signing")) lists.recordChange(userId);
      else if (changed.length > 0) lists.recordChangeFor(userId, userId);
    },
    addSignatures(signer, userId, target, signatures) {
      for (const [keyId, signature] of Object.entries(signatures)) {
        if (typeof signature !== "string") continue;
        db.write(
          "INSERT OR REPLACE INTO key_signatures (user, target, signer, key_id, signature) VALUES (?, ?, ?, ?, ?)",
          userId,
          target,
          signer,
          keyId,
          signature,
        );
      }
      if (signer === userId) lists.recordChange(userId);
      else lists.recordChangeFor(signer, userId);
    },
    withSignatures(signed, userId, target, reader) {
      const rows = db.all<{ signer: string; keyId: string; signature: string }>(
        `SELECT signer, key_id AS keyId, signature FROM key_signatures
         WHERE user = ?1 AND target = ?2 AND (signer = ?1 OR signer = ?3)`,
        userId,
        target,
        reader,
      );
      if (rows.length === 0) return signed;
      const signatures = makeDictionary<JsonObject>();
      if (isObject(signed.signatures))
        for (const [signer, own] of Object.entries(signed.signatures))
          if (isObject(own)) signatures[signer] = { ...own };
      for (const { signer, keyId, signature } of rows)
        signatures[signer] = { ...signatures[signer], [keyId]: signature };
      return { ...signed, signatures };
    },
    keyId: (signed) => publicKey(signed)[0].split(":")[1] ?? "",
    publicKey,
  };
}

function publicKey({ keys }: JsonObject): [id: string, publicKey: string] {
  const [[id, value] = ["", ""]] = isObject(keys) ? Object.entries(keys) : [];
  return [id, typeof value === "string" ? value : ""];
}
