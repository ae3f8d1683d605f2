import { parseJson } from "../../shared/json.ts";
import { refuse } from "../errors.ts";
import { canonicalJson, isObject, type JsonObject, makeDictionary } from "../json.ts";
import type { DeviceLists } from "./device-lists.ts";
import type { BatchedDatabase } from "./batched-database.ts";
import type { Session } from "./sessions.ts";
import type { PollWaker } from "./poll-waker.ts";

/** The tables `device_keys`, `one_time_keys` and `fallback_keys`. Keys are stored and served unchanged. */
export interface DeviceKeys {
  setDevice(session: Session, keys: JsonObject): void;
  of(userId: string): { device: string; keys: JsonObject }[];
  addOneTimeKeys(session: Session, keys: JsonObject): void;
  setFallbackKeys(session: Session, keys: JsonObject): void;
  counts(userId: string, deviceId: string): Record<string, number>;
  unusedFallbackTypes(userId: string, deviceId: string): string[];
  /** Removes and returns a one-time key, or returns the fallback key if none is left. */
  claim(userId: string, deviceId: string, algorithm: string): JsonObject | undefined;
  removeDevice(userId: string, deviceId: string): void;
  /** The position of the latest change to this user's key counts. */
  changedAt(userId: string): number;
}

export function openDeviceKeys(db: BatchedDatabase, lists: DeviceLists, waker: PollWaker): DeviceKeys {
  let nextN = (db.get<{ n: number | null }>("SELECT max(n) AS n FROM one_time_keys")?.n ?? 0) + 1;
  const changedAt = new Map<string, number>();
  const counted = new Map<string, Record<string, number>>();
  const unused = new Map<string, string[]>();
  db.onInvalidate(() => {
    counted.clear();
    unused.clear();
  });

  function onStockChanged(userId: string, deviceId: string): void {
    counted.delete(`${userId}/${deviceId}`);
    unused.delete(`${userId}/${deviceId}`);
    changedAt.set(userId, db.nextPosition());
    db.afterCommit(() => waker.wake([userId]));
  }

  function count(userId: string, deviceId: string): Record<string, number> {
    const rows = db.all<{ algorithm: string; n: number }>(
      "SELECT algorithm, count(*) AS n FROM one_time_keys WHERE user = ? AND device = ? GROUP BY algorithm",
      userId,
      deviceId,
    );
    // Clients upload keys when they see a count of 0, so 0 must be reported.
    const counts = makeDictionary<number>();
    counts.signed_curve25519 = 0;
    for (const { algorithm, n } of rows) counts[algorithm] = n;
    return counts;
  }

  return {
    setDevice(session, keys) {
      const { userId, deviceId } = session;
      const text = JSON.stringify(keys);
      const before = db.get<{ keys: string }>(
        "SELECT keys FROM device_keys WHERE user = ? AND device = ?",
        userId,
        deviceId,
      );
      if (before && canonicalJson(parseJson(before.keys)) === canonicalJson(keys)) return;
      db.write(
        "INSERT OR REPLACE INTO device_keys (user, device, keys) VALUES (?, ?, ?)",
        userId,
        deviceId,
        text,
      );
      lists.recordChange(userId);
    },
    of: (userId) =>
      db
        .all<{ device: string; keys: string }>("SELECT device, keys FROM device_keys WHERE user = ?", userId)
        .map(({ device, keys }) => ({ device, keys: parseJson(keys) as JsonObject })),
    addOneTimeKeys({ userId, deviceId }, keys) {
      for (const [name, key] of Object.entries(keys)) {
        const [algorithm, id] = splitName(name);
        const before = db.get<{ key: string }>(
          "SELECT key FROM one_time_keys WHERE user = ? AND device = ? AND algorithm = ? AND id = ?",
          userId,
          deviceId,
          algorithm,
          id,
        );
        if (before && !isSameKey(parseJson(before.key), key))
          refuse("M_INVALID_PARAM", `A different one-time key ${name} already exists.`);
        if (before) continue;
        db.write(
          "INSERT INTO one_time_keys (user, device, algorithm, id, key, n) VALUES (?, ?, ?, ?, ?, ?)",
          userId,
          deviceId,
          algorithm,
          id,
          JSON.stringify(key),
          nextN++,
        );
      }
      onStockChanged(userId, deviceId);
    },
    setFallbackKeys({ userId, deviceId }, keys) {
      for (const [name, key] of Object.entries(keys)) {
        const [algorithm, id] = splitName(name);
        db.write(
          "INSERT OR REPLACE INTO fallback_keys (user, device, algorithm, id, key) VALUES (?, ?, ?, ?, ?)",
          userId,
          deviceId,
          algorithm,
          id,
          JSON.stringify(key),
        );
      }
      onStockChanged(userId, deviceId);
    },
    counts(userId, deviceId) {
      const key = `${userId}/${deviceId}`;
      const counts = counted.get(key) ?? count(userId, deviceId);
      counted.set(key, counts);
      return counts;
    },
    unusedFallbackTypes(userId, deviceId) {
      const key = `${userId}/${deviceId}`;
      const types =
        unused.get(key) ??
        db
          .all<{ algorithm: string }>(
            "SELECT algorithm FROM fallback_keys WHERE user = ? AND device = ? AND is_used = 0",
            userId,
            deviceId,
          )
          .map(({ algorithm }) => algorithm);
      unused.set(key, types);
      return types;
    },
    claim(userId, deviceId, algorithm) {
      const where = "user = ? AND device = ? AND algorithm = ?";
      const values = [userId, deviceId, algorithm];
      const oneTime = db.get<{ id: string; key: string }>(
        `SELECT id, key FROM one_time_keys WHERE ${where} ORDER BY n LIMIT 1`,
        ...values,
      );
      if (oneTime) db.write(`DELETE FROM one_time_keys WHERE ${where} AND id = ?`, ...values, oneTime.id);
      const key =
        oneTime ??
        db.get<{ id: string; key: string }>(`SELECT id, key FROM fallback_keys WHERE ${where}`, ...values);
      if (!key) return undefined;
      if (!oneTime) db.write(`UPDATE fallback_keys SET is_used = 1 WHERE ${where}`, ...values);
      onStockChanged(userId, deviceId);
      return { [`${algorithm}:${key.id}`]: parseJson(key.key) };
    },
    removeDevice(userId, deviceId) {
      for (const table of ["device_keys", "one_time_keys", "fallback_keys"])
        db.write(`DELETE FROM ${table} WHERE user = ? AND device = ?`, userId, deviceId);
      counted.delete(`${userId}/${deviceId}`);
      unused.delete(`${userId}/${deviceId}`);
    },
    changedAt: (userId) => changedAt.get(userId) ?? 0,
  };
}

function splitName(name: string): [algorithm: string, id: string] {
  const colon = name.indexOf(":");
  if (colon < 1) refuse("M_INVALID_PARAM", `${name} is not of the form algorithm:id.`);
  return [name.slice(0, colon), name.slice(colon + 1)];
}

/** Compares only the keys: signatures may be reordered or renewed. */
function isSameKey(a: unknown, b: unknown): boolean {
  if (!isObject(a) || !isObject(b)) return a === b;
  return a.key === b.key && a.fallback === b.fallback;
}
