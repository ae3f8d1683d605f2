import { hash, randomBytes } from "node:crypto";
import { type Clock, monotonicClock } from "../../shared/clock.ts";
import { refuse } from "../errors.ts";
import type { BatchedDatabase } from "./batched-database.ts";

/** The authenticated user and device. `device` is the device number, which stays the same until sign-out. */
export interface Session {
  readonly userId: string;
  readonly deviceId: string;
  readonly device: number;
}

export interface Device {
  n: number;
  id: string;
  name: string | undefined;
  seenAt: number | undefined;
  seenIp: string | undefined;
}

export interface Tokens {
  session: Session;
  accessToken: string;
  refreshToken: string | undefined;
  expiresInMs: number | undefined;
}

interface OpenSession {
  deviceId?: string | undefined;
  name?: string | undefined;
  canRefresh?: boolean;
}

/** The tables `devices` and `tokens`. Signing in again on a device revokes its previous token. */
export interface Sessions {
  open(userId: string, options?: OpenSession): Tokens;
  /** `M_UNKNOWN_TOKEN` for an unknown or expired token. */
  authenticate(token: string, ip: string): Session;
  refresh(token: string): Tokens;
  devices(userId: string): Device[];
  device(userId: string, deviceId: string): Device | undefined;
  rename(userId: string, deviceId: string, name: string): void;
  remove(userId: string, deviceIds: readonly string[]): void;
}

interface TokenRow {
  hash: string;
  userId: string;
  deviceId: string;
  device: number;
  pair: string | null;
  replaces: string | null;
  expiresAt: number | null;
}

const accessLifeMs = 3_600_000;
/** The minimum interval between updates of `seen_at`. */
const seenEveryMs = 60_000;

export function openSessions(db: BatchedDatabase, clock: Clock): Sessions {
  const byToken = new Map<string, { session: Session; expiresAt: number | null }>();
  const seen = new Map<number, number>();
  db.onInvalidate(() => byToken.clear());

  function find(token: string, kind: "access" | "refresh"): TokenRow | undefined {
    return db.get<TokenRow>(
      `SELECT t.hash, d.user AS userId, d.id AS deviceId, d.n AS device, t.pair, t.replaces, t.expires_at AS expiresAt
       FROM tokens t JOIN devices d ON d.n = t.device WHERE t.hash = ? AND t.kind = ?`,
      hashToken(token),
      kind,
    );
  }

  function issue(session: Session, canRefresh: boolean, replaces?: string): Tokens {
    const accessToken = makeToken("rka");
    const refreshToken = canRefresh ? makeToken("rkr") : undefined;
    const expiresInMs = canRefresh ? accessLifeMs : undefined;
    const pair = randomBytes(8).toString("hex");
    const store = (token: string, kind: string, expiresAt: number | undefined): void =>
      db.write(
        "INSERT INTO tokens (hash, device, kind, pair, replaces, expires_at) VALUES (?, ?, ?, ?, ?, ?)",
        hashToken(token),
        session.device,
        kind,
        pair,
        replaces,
        expiresAt,
      );
    store(accessToken, "access", expiresInMs === undefined ? undefined : clock() + expiresInMs);
    if (refreshToken) store(refreshToken, "refresh", undefined);
    return { session, accessToken, refreshToken, expiresInMs };
  }

  /** The client uses its new token pair, so the previous one is deleted. */
  function invalidate(row: TokenRow): void {
    if (row.replaces === null) return;
    db.write("DELETE FROM tokens WHERE pair = ?", row.replaces);
    db.write("UPDATE tokens SET replaces = NULL WHERE pair = ?", row.pair);
    byToken.clear();
  }

  function recordSeen(session: Session, ip: string): void {
    const now = monotonicClock();
    if (now - (seen.get(session.device) ?? Number.NEGATIVE_INFINITY) < seenEveryMs) return;
    seen.set(session.device, now);
    db.write("UPDATE devices SET seen_at = ?, seen_ip = ? WHERE n = ?", clock(), ip, session.device);
  }

  function devices(userId: string): Device[] {
    return db
      .all<Record<keyof Device, string | number | null>>(
        "SELECT n, id, name, seen_at AS seenAt, seen_ip AS seenIp FROM devices WHERE user = ? ORDER BY n",
        userId,
      )
      .map(
        (row) =>
          ({
            ...row,
            name: row.name ?? undefined,
            seenAt: row.seenAt ?? undefined,
            seenIp: row.seenIp ?? undefined,
          }) as Device,
      );
  }

  return {
    open(userId, { deviceId = makeDeviceId(), name, canRefresh = false } = {}) {
      db.write(
        `INSERT INTO devices (user, id, name) VALUES (?1, ?2, ?3) ON CONFLICT (user, id) DO UPDATE SET name = coalesce(?3, name)`,
        userId,
        deviceId,
        name,
      );
      const row = db.get<{ n: number }>("SELECT n FROM devices WHERE user = ? AND id = ?", userId, deviceId);
      const device = row?.n ?? 0;
      db.write("DELETE FROM tokens WHERE device = ?", device);
      for (const [token, known] of byToken) if (known.session.device === device) byToken.delete(token);
      return issue({ userId, deviceId, device }, canRefresh);
    },
    authenticate(token, ip) {
      let known = byToken.get(token);
      if (!known) {
        const row = find(token, "access");
        if (!row) refuse("M_UNKNOWN_TOKEN", "Unknown access token.", { fields: { soft_logout: false } });
        invalidate(row);
        const { userId, deviceId, device } = row;
        known = { session: { userId, deviceId, device }, expiresAt: row.expiresAt };
        byToken.set(token, known);
      }
      if (known.expiresAt !== null && known.expiresAt <= clock())
        refuse("M_UNKNOWN_TOKEN", "This access token has expired.", { fields: { soft_logout: true } });
      recordSeen(known.session, ip);
      return known.session;
    },
    refresh(token) {
      const row = find(token, "refresh");
      if (!row) refuse("M_UNKNOWN_TOKEN", "Unknown refresh token.", { fields: { soft_logout: false } });
      invalidate(row);
      // A second refresh with the same token: the first response was lost, so its pair is deleted.
      db.write("DELETE FROM tokens WHERE replaces = ?", row.pair);
      const { userId, deviceId, device } = row;
      return issue({ userId, deviceId, device }, true, row.pair ?? undefined);
    },
    devices,
    device: (userId, deviceId) => devices(userId).find(({ id }) => id === deviceId),
    rename: (userId, deviceId, name) =>
      db.write("UPDATE devices SET name = ? WHERE user = ? AND id = ?", name, userId, deviceId),
    remove(userId, deviceIds) {
      for (const deviceId of deviceIds)
        db.write("DELETE FROM devices WHERE user = ? AND id = ?", userId, deviceId);
      for (const [token, { session }] of byToken)
        if (session.userId === userId && deviceIds.includes(session.deviceId)) byToken.delete(token);
    },
  };
}

function makeToken(prefix: string): string {
  return `${prefix}_${randomBytes(24).toString("base64url")}`;
}

function makeDeviceId(): string {
  return Array.from(randomBytes(10), (byte) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[byte % 26]).join("");
}

function hashToken(token: string): string {
  return hash("sha256", token, "base64url");
}
