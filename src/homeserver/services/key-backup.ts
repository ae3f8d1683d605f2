import { parseJson } from "../../shared/json.ts";
import { refuse } from "../errors.ts";
import { canonicalJson, type JsonObject, makeDictionary } from "../json.ts";
import type { BatchedDatabase } from "./batched-database.ts";

export interface Backup {
  version: number;
  algorithm: string;
  authData: unknown;
  etag: number;
  count: number;
}

/** The tables `key_backups` and `backed_up_keys`: message keys, encrypted by the clients. */
interface KeyBackup {
  create(userId: string, algorithm: string, authData: unknown): string;
  /** The newest if no version is given. `M_NOT_FOUND` if there is none. */
  get(userId: string, version?: string): Backup;
  update(userId: string, version: string, authData: unknown): void;
  remove(userId: string, version: string): void;
  keys(
    userId: string,
    version: string,
    roomId?: string,
    sessionId?: string,
  ): Record<string, Record<string, JsonObject>>;
  /** `M_WRONG_ROOM_KEYS_VERSION` unless it is the newest version. A key replaces a stored one only if it is better. */
  put(userId: string, version: string, keys: [roomId: string, sessionId: string, key: JsonObject][]): Backup;
  removeKeys(userId: string, version: string, roomId?: string, sessionId?: string): Backup;
}

export function openKeyBackup(db: BatchedDatabase): KeyBackup {
  function find(userId: string, version?: string): Backup | undefined {
    const row = db.get<Omit<Backup, "authData"> & { authData: string }>(
      `SELECT version, algorithm, auth_data AS authData, etag,
         (SELECT count(*) FROM backed_up_keys k WHERE k.user = b.user AND k.version = b.version) AS count
       FROM key_backups b WHERE user = ?1 AND is_deleted = 0 AND (?2 IS NULL OR version = ?2) ORDER BY version DESC LIMIT 1`,
      userId,
      version === undefined ? undefined : readVersion(version),
    );
    return row && { ...row, authData: parseJson(row.authData) };
  }

  function get(userId: string, version?: string): Backup {
    return find(userId, version) ?? refuse("M_NOT_FOUND", "There is no such key backup.");
  }

  function touch(userId: string, version: number): Backup {
    db.write("UPDATE key_backups SET etag = etag + 1 WHERE user = ? AND version = ?", userId, version);
    return get(userId, String(version));
  }

  function select(userId: string, version: number, roomId?: string, sessionId?: string): StoredKey[] {
    return db.all<StoredKey>(
      `SELECT room, session, key FROM backed_up_keys
       WHERE user = ?1 AND version = ?2 AND (?3 IS NULL OR room = ?3) AND (?4 IS NULL OR session = ?4)`,
      userId,
      version,
      roomId,
      sessionId,
    );
  }

  /** By the whole primary key: `select` reads all keys of a backup, which is too slow for each key of an upload. */
  function findKey(userId: string, version: number, roomId: string, sessionId: string): string | undefined {
    return db.get<StoredKey>(
      "SELECT key FROM backed_up_keys WHERE user = ? AND version = ? AND room = ? AND session = ?",
      userId,
      version,
      roomId,
      sessionId,
    )?.key;
  }

  return {
    create(userId, algorithm, authData) {
      const latest =
        db.get<{ version: number | null }>(
          "SELECT max(version) AS version FROM key_backups WHERE user = ?",
          userId,
        )?.version ?? 0;
      db.write(
        "INSERT INTO key_backups (user, version, algorithm, auth_data) VALUES (?, ?, ?, ?)",
        userId,
        latest + 1,
        algorithm,
        JSON.stringify(authData),
      );
      return String(latest + 1);
    },
    get,
    update(userId, version, authData) {
      const backup = get(userId, version);
      db.write(
        "UPDATE key_backups SET auth_data = ? WHERE user = ? AND version = ?",
        JSON.stringify(authData),
        userId,
        backup.version,
      );
    },
    remove(userId, version) {
      const backup = get(userId, version);
      db.write(
        "UPDATE key_backups SET is_deleted = 1 WHERE user = ? AND version = ?",
        userId,
        backup.version,
      );
      db.write("DELETE FROM backed_up_keys WHERE user = ? AND version = ?", userId, backup.version);
    },
    keys(userId, version, roomId, sessionId) {
      const byRoom = makeDictionary<Record<string, JsonObject>>();
      for (const { room, session, key } of select(userId, get(userId, version).version, roomId, sessionId))
        (byRoom[room] ??= makeDictionary())[session] = parseJson(key) as JsonObject;
      return byRoom;
    },
    put(userId, version, keys) {
      const current = get(userId);
      if (current.version !== readVersion(version))
        refuse("M_WRONG_ROOM_KEYS_VERSION", "This is not the newest backup.", {
          fields: { current_version: String(current.version) },
        });
      let isChanged = false;
      for (const [roomId, sessionId, key] of keys) {
        const before = findKey(userId, current.version, roomId, sessionId);
        if (before !== undefined && !isBetter(key, parseJson(before) as JsonObject)) continue;
        isChanged = true;
        db.write(
          "INSERT OR REPLACE INTO backed_up_keys (user, version, room, session, key) VALUES (?, ?, ?, ?, ?)",
          userId,
          current.version,
          roomId,
          sessionId,
          JSON.stringify(key),
        );
      }
      return isChanged ? touch(userId, current.version) : current;
    },
    removeKeys(userId, version, roomId, sessionId) {
      const backup = get(userId, version);
      if (select(userId, backup.version, roomId, sessionId).length === 0) return backup;
      db.write(
        `DELETE FROM backed_up_keys
         WHERE user = ?1 AND version = ?2 AND (?3 IS NULL OR room = ?3) AND (?4 IS NULL OR session = ?4)`,
        userId,
        backup.version,
        roomId,
        sessionId,
      );
      return touch(userId, backup.version);
    },
  };
}

interface StoredKey {
  room: string;
  session: string;
  key: string;
}

function readVersion(version: string): number {
  return /^\d{1,15}$/.test(version) ? Number(version) : -1;
}

/** Prefers verified keys, then a lower first message index, then fewer forwards. */
function isBetter(fresh: JsonObject, old: JsonObject): boolean {
  if (canonicalJson(fresh) === canonicalJson(old)) return false;
  if (fresh.is_verified !== old.is_verified) return fresh.is_verified === true;
  const [first, oldFirst] = [Number(fresh.first_message_index ?? 0), Number(old.first_message_index ?? 0)];
  if (first !== oldFirst) return first < oldFirst;
  return Number(fresh.forwarded_count ?? 0) < Number(old.forwarded_count ?? 0);
}
