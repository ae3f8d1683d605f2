import { randomBytes, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { AppError } from "../shared/errors.ts";
import type { HubConnection } from "./connect.ts";
import { makePassword, makeVerifier } from "./scram.ts";

/** The migrations: beside the bundle in a build, beside this file in the sources. */
const schemaFolder = new URL("./hub-schema/", import.meta.url);
const sourceFolder = new URL("./schema/", import.meta.url);

export interface Invitation {
  role: string;
  password: string;
}

export interface InviteRequest {
  name: string;
  kind: "person" | "machine";
  isReadOnly: boolean;
  isAdmin: boolean;
  /** Names of the only projects that the member may use; all projects if empty. */
  projects: readonly string[];
  /** Days after which the machine loses its access; undefined: never. */
  expiresInDays?: number | undefined;
}

export interface HubMember {
  name: string;
  device: string | null;
  kind: "person" | "machine";
  state: "invited" | "joined" | "revoked" | "expired";
  isReadOnly: boolean;
  seenAt: number | null;
  notes: number;
}

const joinHours = 24;
const connectionLimit = 4;

/** Creates the schema, the roles and the policies in an empty database. Returns the hub's id. */
export async function createHub(db: HubConnection): Promise<string> {
  const [found] = await db.query<{ version: number; tables: number; has: boolean }>(
    `SELECT current_setting('server_version_num')::int AS version,
       (SELECT count(*)::int FROM pg_catalog.pg_tables WHERE schemaname = 'public') AS tables,
       EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'rookery') AS has`,
  );
  if ((found?.version ?? 0) < 140_000)
    throw new AppError("hub_refused", "The hub needs PostgreSQL 14 or newer.");
  if (found?.has) throw new AppError("hub_exists", "This database has a hub already.");
  if ((found?.tables ?? 0) > 0)
    throw new AppError("hub_refused", "This database has other tables: the hub needs a database of its own.");
  const hubId = randomUUID();
  const devices = `rookery_${hubId.slice(0, 8)}_devices`;
  await inTransaction(db, async () => {
    const [{ name }] = (await db.query<{ name: string }>(
      "SELECT quote_ident(current_database()) AS name",
    )) as [{ name: string }];
    await db.script(`CREATE ROLE ${devices} NOLOGIN;
      REVOKE ALL ON DATABASE ${name} FROM PUBLIC;
      GRANT CONNECT ON DATABASE ${name} TO ${devices};
      REVOKE ALL ON SCHEMA public FROM PUBLIC;`);
    await db.script(readMigrations()[0]?.sql.replaceAll("{{devices}}", devices) ?? "");
    await db.query("INSERT INTO rookery.meta (hub_id, schema_version) VALUES ($1, 1)", [hubId]);
  });
  await upgradeHub(db, false);
  return hubId;
}

/** Applies the pending migrations. `isRestored`: the database is from a backup; every machine compares everything. */
export async function upgradeHub(db: HubConnection, isRestored: boolean): Promise<number> {
  return inTransaction(db, async () => {
    const [meta] = await db.query<{ hubId: string; version: number }>(
      `SELECT hub_id AS "hubId", schema_version AS version FROM rookery.meta FOR UPDATE`,
    );
    const pending = readMigrations().filter(({ version }) => version > (meta?.version ?? 0));
    for (const { sql } of pending)
      await db.script(sql.replaceAll("{{devices}}", `rookery_${meta?.hubId.slice(0, 8)}_devices`));
    const version = pending.at(-1)?.version ?? meta?.version ?? 0;
    await db.query(
      "UPDATE rookery.meta SET schema_version = $1, epoch = CASE WHEN $2 THEN gen_random_uuid() ELSE epoch END",
      [version, isRestored],
    );
    return version;
  });
}

/** Makes a login role for one machine of a member, with a one-time password that works for a day. */
export async function inviteToHub(db: HubConnection, request: InviteRequest): Promise<Invitation> {
  if (!/^[a-z0-9][a-z0-9._-]{0,31}$/.test(request.name))
    throw new AppError("invalid_argument", "A member's name has 1 to 32 of: a-z 0-9 . _ -");
  return inTransaction(db, async () => {
    const [meta] = await db.query<{ hubId: string }>('SELECT hub_id AS "hubId" FROM rookery.meta');
    const prefix = `rookery_${meta?.hubId.slice(0, 8)}`;
    const role = `${prefix}_${randomBytes(5).toString("hex")}`;
    const password = makePassword();
    const [member] = await db.query<{ id: string }>(
      `INSERT INTO rookery.members (name, is_admin, is_limited) VALUES ($1, $2, $3)
       ON CONFLICT (name) DO UPDATE SET is_admin = members.is_admin OR excluded.is_admin RETURNING id`,
      [request.name, request.isAdmin, request.projects.length > 0],
    );
    await grantProjects(db, member?.id ?? "", request.projects);
    // The verifier and the names are ours: no part of this statement comes from outside.
    await db.script(
      `CREATE ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE INHERIT NOREPLICATION
         CONNECTION LIMIT ${connectionLimit} PASSWORD '${makeVerifier(password)}'
         VALID UNTIL '${new Date(Date.now() + joinHours * 3_600_000).toISOString()}' IN ROLE ${prefix}_devices;`,
    );
    await db.query(
      `INSERT INTO rookery.devices (member_id, role_name, kind, read_only, join_until, expires_at)
       VALUES ($1, $2, $3, $4, now() + make_interval(hours => $5), now() + make_interval(days => $6))`,
      [member?.id, role, request.kind, request.isReadOnly, joinHours, request.expiresInDays ?? null],
    );
    await db.query("INSERT INTO rookery.audit (action, subject) VALUES ('invite', $1)", [request.name]);
    return { role, password };
  });
}

async function grantProjects(db: HubConnection, memberId: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const granted = await db.query(
      `INSERT INTO rookery.grants (member_id, project_id)
       SELECT $1, p.id FROM rookery.projects p LEFT JOIN rookery.project_keys k ON k.project_id = p.id
       WHERE p.name = $2 OR k.key = $2 ON CONFLICT DO NOTHING RETURNING project_id`,
      [memberId, name],
    );
    if (granted.length === 0) throw new AppError("project_not_found", `The hub has no project ${name}.`);
  }
}

export async function listHubMembers(db: HubConnection): Promise<HubMember[]> {
  return db.query<HubMember>(
    `SELECT m.name, d.name AS device, d.kind, d.read_only AS "isReadOnly",
       (extract(epoch FROM d.seen_at) * 1000)::float8 AS "seenAt",
       CASE WHEN d.revoked_at IS NOT NULL THEN 'revoked' WHEN d.expires_at <= now() THEN 'expired'
            WHEN d.joined_at IS NOT NULL THEN 'joined' WHEN d.join_until < now() THEN 'expired' ELSE 'invited' END AS state,
       (SELECT count(*) FROM rookery.records r WHERE r.device_id = d.id AND r.gone_by IS NULL) AS notes
     FROM rookery.members m JOIN rookery.devices d ON d.member_id = m.id ORDER BY m.name, d.invited_at`,
  );
}

/** Ends the access of one machine, or of all machines of a member; also on open connections. Returns their number. */
export async function revokeFromHub(db: HubConnection, name: string): Promise<number> {
  return inTransaction(db, async () => {
    const owners = await db.query<{ name: string }>(
      `SELECT DISTINCT m.name FROM rookery.devices d JOIN rookery.members m ON m.id = d.member_id
       WHERE d.revoked_at IS NULL AND $1 IN (m.name, d.name, m.name || '@' || d.name)`,
      [name],
    );
    if (owners.length > 1) {
      const choices = owners.map((owner) => `${owner.name}@${name}`).join(", ");
      throw new AppError("invalid_argument", `Several members have a machine ${name}: ${choices}.`);
    }
    const revoked = await db.query<{ id: string }>(
      `UPDATE rookery.devices d SET revoked_at = now() FROM rookery.members m
       WHERE m.id = d.member_id AND d.revoked_at IS NULL AND ($1 IN (m.name, d.name, m.name || '@' || d.name)) RETURNING d.id`,
      [name],
    );
    const ids = revoked.map(({ id }) => id);
    await db.query("DELETE FROM rookery.cursors WHERE device_id = ANY ($1)", [ids]);
    await db.query("DELETE FROM rookery.leases WHERE device_id = ANY ($1)", [ids]);
    await db.query("INSERT INTO rookery.audit (action, subject) VALUES ('revoke', $1)", [name]);
    return revoked.length;
  });
}

/**
 * Erases the bytes of forgotten records: rewrites the table and moves on to new write-ahead logs. Returns false if the
 * role may not switch them: the server then recycles them in its own time.
 */
export async function scrubHub(db: HubConnection): Promise<boolean> {
  await db.script("VACUUM FULL rookery.records");
  try {
    // Recycled segments keep their old bytes until they are written over.
    for (let round = 0; round < 4; round++) await db.script("SELECT pg_switch_wal(); CHECKPOINT");
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "hub_refused") return false;
    throw error;
  }
}

function readMigrations(): { version: number; sql: string }[] {
  const folder = import.meta.url.endsWith("/src/hub/administer.ts") ? sourceFolder : schemaFolder;
  return readdirSync(folder)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .toSorted()
    .map((file) => ({
      version: Number(file.slice(0, 4)),
      sql: readFileSync(new URL(file, folder), "utf8"),
    }));
}

async function inTransaction<T>(db: HubConnection, work: () => Promise<T>): Promise<T> {
  await db.script("BEGIN");
  try {
    const result = await work();
    await db.script("COMMIT");
    return result;
  } catch (error) {
    await db.script("ROLLBACK").catch(() => undefined); // The first error says more.
    throw error;
  }
}
