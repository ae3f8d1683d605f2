import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHub, inviteToHub, revokeFromHub, upgradeHub } from "../../src/hub/administer.ts";
import { connectHub, type HubConnection } from "../../src/hub/connect.ts";
import { makePassword, makeVerifier } from "../../src/hub/scram.ts";
import { type HubSession, makeHubSession } from "../../src/hub/hub-session.ts";
import { type HubTarget, parseHubUrl } from "../../src/hub/target.ts";
import { findPgbouncer, openPgbouncer } from "../support/pgbouncer.ts";
import { listPostgres, openPostgres, type Postgres } from "../support/postgres.ts";

interface Member {
  target: HubTarget;
  db: HubConnection;
  hub: HubSession;
}

const note = (id: string, title = "x") => ({ id, kind: "note", version: 1, madeAt: 1_000, body: { title } });

const servers = listPostgres();
describe.skipIf(servers.length === 0)("a member of a hub", () => {
  describe.each(servers)("on %s", checkMember);
});

function checkMember(bin: string): void {
  let postgres: Postgres;
  let admin: HubConnection;
  let ada: Member;
  let eve: Member;
  let project = "";
  const open: HubConnection[] = [];

  async function connect(target: HubTarget): Promise<HubConnection> {
    const db = await connectHub(target);
    open.push(db);
    return db;
  }

  async function join(name: string, fields: object = {}): Promise<Member> {
    const request = {
      name,
      kind: "person",
      isReadOnly: false,
      isAdmin: false,
      projects: [],
      ...fields,
    } as const;
    const { role, password } = await inviteToHub(admin, request);
    const first = { ...parseHubUrl(postgres.adminUrl()), user: role, password };
    const own = makePassword();
    await makeHubSession(await connect(first)).join(`${name}-pc`, makeVerifier(own));
    const target = { ...first, password: own };
    const db = await connect(target);
    return { target, db, hub: makeHubSession(db) };
  }

  beforeAll(async () => {
    postgres = await openPostgres(bin);
    admin = await connect(parseHubUrl(postgres.adminUrl()));
    await createHub(admin);
    ada = await join("ada");
    project = await ada.hub.link("git.example.org/acme/api", "api");
    await ada.hub.push(project, [note("ada-note-1", "the merger"), note("ada-note-2")]);
    // Eve is a member with a project of her own, and may not use Ada's.
    const own = await ada.hub.link("git.example.org/eve/own", "eves");
    eve = await join("eve", { projects: ["eves"] });
    await eve.hub.link("git.example.org/eve/own", "eves");
    expect(own).toBeTruthy();
  }, 60_000);
  afterAll(async () => {
    for (const db of open) await db.close();
    await postgres?.close();
  });

  /** Statements of Eve: each must fail, or return and change nothing. */
  const attacks: [name: string, sql: string][] = [
    ["reads notes of another project", "SELECT * FROM rookery.records WHERE project_id = '$P'"],
    ["reads every note", "SELECT * FROM rookery.records"],
    ["reads another project", "SELECT * FROM rookery.projects WHERE id = '$P'"],
    ["reads how far others are", "SELECT * FROM rookery.cursors WHERE project_id = '$P'"],
    ["reads leases of another project", "SELECT * FROM rookery.leases WHERE project_id = '$P'"],
    ["reads the grants", "SELECT * FROM rookery.grants"],
    ["reads the keys of projects", "SELECT * FROM rookery.project_keys"],
    ["reads the audit", "SELECT * FROM rookery.audit"],
    ["reads the roles of machines", "SELECT role_name FROM rookery.devices"],
    ["reads verifiers", "SELECT rolpassword FROM pg_authid"],
    ["finds a project by its key", "SELECT * FROM rookery.find_project_v1('git.example.org/acme/api')"],
    ["links a project that is not granted", "SELECT rookery.link_v1('git.example.org/acme/api', 'api')"],
    ["adds a project", "SELECT rookery.link_v1('git.example.org/eve/new', 'new')"],
    [
      "pushes into another project",
      `SELECT * FROM rookery.push_v1('$P', '[{"id":"eve-note-1","kind":"note","version":1,"madeAt":1,"body":{}}]')`,
    ],
    ["forgets in another project", "SELECT * FROM rookery.forget_v1('$P', '{ada-note-1}')"],
    ["marks another project as seen", "SELECT rookery.seen_v1('$P', 99)"],
    ["unlinks another project", "SELECT rookery.unlink_v1('$P')"],
    [
      "takes a lease in another project",
      "SELECT rookery.take_lease_v1('$P', 0, 'lease-0001', 'eve', '{**}', true, 60)",
    ],
    ["releases a lease in another project", "SELECT rookery.release_lease_v1('$P', 'lease-0001')"],
    ["reads tasks of another project", "SELECT * FROM rookery.tasks WHERE project_id = '$P'"],
    [
      "changes a task in another project",
      "SELECT rookery.change_task_v1('$P', 'task-0001', NULL, 2, 'canceled', 'eve')",
    ],
    ["changes a task without asking", "UPDATE rookery.tasks SET rev = 1"],
    [
      "polls for another project",
      "SELECT value FROM jsonb_array_elements(rookery.poll_v1() -> 'projects') WHERE value ->> 'id' = '$P'",
    ],
    ["inserts a row", "INSERT INTO rookery.records SELECT * FROM rookery.records"],
    ["updates rows", "UPDATE rookery.records SET body = '{}'"],
    ["deletes rows", "DELETE FROM rookery.records"],
    ["truncates a table", "TRUNCATE rookery.records"],
    [
      "grants itself a project",
      "INSERT INTO rookery.grants SELECT '$P', id FROM rookery.members WHERE name = 'eve'",
    ],
    ["makes itself an administrator", "UPDATE rookery.members SET is_admin = true"],
    ["undoes its revocation", "UPDATE rookery.devices SET revoked_at = NULL"],
    ["moves the head", "UPDATE rookery.projects SET head = 0"],
    ["turns row security off", "SET row_security = off; SELECT * FROM rookery.records"],
    ["disables row security of the table", "ALTER TABLE rookery.records DISABLE ROW LEVEL SECURITY"],
    ["drops a policy", "DROP POLICY of_my_projects ON rookery.records"],
    ["drops the schema", "DROP SCHEMA rookery CASCADE"],
    [
      "replaces a function",
      "CREATE OR REPLACE FUNCTION rookery.my_device() RETURNS uuid LANGUAGE sql AS 'SELECT NULL::uuid'",
    ],
    ["adds a function", "CREATE FUNCTION rookery.leak() RETURNS int LANGUAGE sql AS 'SELECT 1'"],
    ["creates a table in public", "CREATE TABLE public.trap (a int)"],
    ["creates a schema", "CREATE SCHEMA trap"],
    ["creates a temporary table", "CREATE TEMP TABLE trap (a int)"],
    [
      "shadows a name by a search path",
      "SET search_path = pg_temp, public; CREATE FUNCTION now() RETURNS timestamptz LANGUAGE sql AS 'SELECT NULL::timestamptz'",
    ],
    ["becomes the administrator", "SET ROLE admin"],
    ["becomes Ada's machine", "SET ROLE $A"],
    ["changes its session's user", "SET SESSION AUTHORIZATION admin"],
    ["changes the password of another", "ALTER ROLE $A PASSWORD 'x'"],
    ["creates a role", "CREATE ROLE trap LOGIN"],
    [
      "makes itself a superuser",
      "DO $$ BEGIN EXECUTE format('ALTER ROLE %I SUPERUSER', session_user); END $$",
    ],
    [
      "raises its own connection limit",
      "DO $$ BEGIN EXECUTE format('ALTER ROLE %I CONNECTION LIMIT 100', session_user); END $$",
    ],
    ["grants its role to others", "GRANT SELECT ON rookery.records TO PUBLIC"],
    ["joins a second time", "SELECT rookery.join_v1('other', 'SCRAM-SHA-256$4096:AAAA$AAAA:AAAA')"],
    ["calls an internal function", "SELECT rookery.require_device('$P', true)"],
    [
      "asks what another member may link",
      "SELECT rookery.may_link((SELECT id FROM rookery.members WHERE name = 'ada'), '$P')",
    ],
    ["reads a file", "SELECT pg_read_file('/etc/passwd')"],
    ["copies from a file", "CREATE TEMP TABLE t (l text); COPY t FROM '/etc/passwd'"],
    ["runs a program", "COPY (SELECT 1) TO PROGRAM 'true'"],
    [
      "leaks through an operator with a low cost",
      "SELECT id FROM rookery.records WHERE body::text LIKE '%merger%'",
    ],
    [
      "ends another's connection",
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '$A'",
    ],
    [
      "reads statements of others",
      "SELECT query FROM pg_stat_activity WHERE usename = '$A' AND query <> '<insufficient privilege>'",
    ],
  ];

  const state = () =>
    postgres.query(
      "SELECT r.*, p.head, p.fence FROM rookery.records r JOIN rookery.projects p ON p.id = r.project_id ORDER BY r.id",
      "hub",
    );

  /** The attacks that returned or changed something. */
  async function attack(target: HubTarget): Promise<string[]> {
    const client = new Client({ ...target, ssl: false });
    await client.connect();
    const succeeded: string[] = [];
    for (const [name, sql] of attacks) {
      try {
        const filled = sql.replaceAll("$P", project).replaceAll("$A", ada.target.user);
        const result: any = await client.query(filled);
        const rows: object[] = (Array.isArray(result) ? result.at(-1) : result).rows ?? [];
        const found = rows.filter((row) =>
          Object.values(row).some((value) => value !== null && value !== ""),
        );
        if (found.length > 0 || !sql.includes("SELECT")) succeeded.push(`${name}: ${JSON.stringify(found)}`);
      } catch (error) {
        // Not allowed, not visible, or refused by a function; never a failure of the server.
        if (!/^(?:42|RK0|0A000|28)/.test((error as { code?: string }).code ?? ""))
          succeeded.push(`${name}: ${(error as Error).message}`);
      }
      await client.query("ROLLBACK; RESET ALL; RESET ROLE");
    }
    await client.end();
    return succeeded;
  }

  test("is refused every statement that is not hers", async () => {
    const before = await state();
    expect(await attack(eve.target)).toEqual([]);
    expect(attacks.length).toBeGreaterThan(50);
    expect(await state()).toEqual(before);
    // The same statements show rows to a member of the project: the list above can fail.
    expect(await ada.db.query("SELECT * FROM rookery.records")).toHaveLength(2);
  });

  test("is refused the same statements through a pooler in transaction mode, which ends with a revocation too", async ({
    skip,
  }) => {
    const bin = findPgbouncer() ?? skip("pgbouncer is not installed (Debian package pgbouncer)");
    const before = await state();
    const frank = await join("frank");
    const pooler = await openPgbouncer(bin, postgres, {
      user: eve.target.user,
      password: eve.target.password,
    });
    try {
      expect(await attack({ ...eve.target, port: pooler.port })).toEqual([]);
      expect(await state()).toEqual(before);
      const hub = makeHubSession(await connect({ ...frank.target, port: pooler.port }));
      await hub.link("git.example.org/acme/api", "api");
      expect(await hub.push(project, [note("frank-note-1", "pooled")])).toMatchObject([{ outcome: "kept" }]);
      expect(await hub.forget(project, ["frank-note-1"])).toMatchObject([{ outcome: "gone" }]);
      expect((await hub.pull(project, 0, 10)).length).toBe(3);
      const at = performance.now();
      await revokeFromHub(admin, "frank");
      expect(await hub.pull(project, 0, 10)).toEqual([]);
      expect(performance.now() - at).toBeLessThan(1_000);
      await postgres.query("DELETE FROM rookery.records WHERE id = 'frank-note-1'", "hub");
    } finally {
      await pooler.close();
    }
  });

  test("does not lose a machine of the same name when another member's is revoked", async () => {
    for (const name of ["gil", "hal"]) {
      const { role, password } = await inviteToHub(admin, {
        name,
        kind: "person",
        isReadOnly: false,
        isAdmin: false,
        projects: [],
      });
      const first = await connect({ ...parseHubUrl(postgres.adminUrl()), user: role, password });
      await makeHubSession(first).join("laptop", makeVerifier(makePassword()));
    }
    await expect(revokeFromHub(admin, "laptop")).rejects.toMatchObject({ code: "invalid_argument" });
    expect(await revokeFromHub(admin, "gil@laptop")).toBe(1);
    expect(await revokeFromHub(admin, "laptop")).toBe(1);
  });

  test("cannot write another's note, or bring back a forgotten one", async () => {
    const bob = await join("bob");
    await bob.hub.link("git.example.org/acme/api", "api");
    expect(await bob.hub.push(project, [note("ada-note-1", "changed")])).toMatchObject([
      { outcome: "not yours" },
    ]);
    expect(await bob.hub.forget(project, ["ada-note-1"])).toMatchObject([{ outcome: "not yours" }]);
    await ada.hub.forget(project, ["ada-note-2"]);
    expect(await ada.hub.push(project, [note("ada-note-2", "again")])).toMatchObject([{ outcome: "gone" }]);
    const rows = await bob.hub.pull(project, 0, 10);
    expect(rows.map(({ id, body }) => [id, body])).toEqual([
      ["ada-note-1", { title: "the merger" }],
      ["ada-note-2", null],
    ]);
  });

  test("reads nothing on an open connection once it is revoked, and cannot write", async () => {
    const carl = await join("carl");
    await carl.hub.link("git.example.org/acme/api", "api");
    expect((await carl.hub.pull(project, 0, 10)).length).toBe(2);
    await revokeFromHub(admin, "carl");
    expect(await carl.hub.pull(project, 0, 10)).toEqual([]);
    await expect(carl.hub.push(project, [note("carl-note-1")])).rejects.toMatchObject({
      code: "hub_refused",
    });
    expect((await carl.hub.whoami()).state).toBe("revoked");
  });

  test("reads and writes nothing once its access has expired, on no connection", async () => {
    const temp = await join("temp", { kind: "machine", expiresInDays: 1 });
    await temp.hub.link("git.example.org/acme/api", "api");
    expect((await temp.hub.pull(project, 0, 10)).length).toBe(2);
    await postgres.query(
      `UPDATE rookery.devices SET expires_at = now() WHERE role_name = '${temp.target.user}'`,
      "hub",
    );
    for (const hub of [temp.hub, makeHubSession(await connect(temp.target))]) {
      expect(await hub.pull(project, 0, 10)).toEqual([]);
      const rows = [note("temp-note-1")];
      await expect(hub.push(project, rows)).rejects.toMatchObject({ code: "hub_refused" });
      expect((await hub.whoami()).state).toBe("revoked");
    }
  });

  test("opens a login that ended with its access again, after an upgrade of the hub", async () => {
    const old = await join("old", { kind: "machine", expiresInDays: 1 });
    const { user } = old.target;
    await postgres.query(
      `UPDATE rookery.meta SET schema_version = 4; ALTER ROLE ${user} VALID UNTIL 'yesterday'`,
      "hub",
    );
    await expect(connect(old.target)).rejects.toMatchObject({ code: "hub_refused" });
    expect(await upgradeHub(admin, false)).toBe(5);
    expect((await makeHubSession(await connect(old.target)).whoami()).state).toBe("joined");
  });

  test("writes nothing with a read-only machine", async () => {
    const ci = await join("ci", { isReadOnly: true, kind: "machine" });
    await ci.hub.link("git.example.org/acme/api", "api");
    await expect(ci.hub.push(project, [note("ci-note-001")])).rejects.toMatchObject({ code: "hub_refused" });
    await expect(ci.hub.forget(project, ["ada-note-1"])).rejects.toMatchObject({ code: "hub_refused" });
  });

  test("is not connected without TLS to another machine", async () => {
    const far = { ...eve.target, host: "192.0.2.1" };
    await expect(connectHub(far)).rejects.toMatchObject({ code: "hub_without_tls" });
  });

  test("has no password of the invitation any more", async () => {
    const { role, password } = await inviteToHub(admin, {
      name: "dora",
      kind: "person",
      isReadOnly: false,
      isAdmin: false,
      projects: [],
    });
    const first = { ...parseHubUrl(postgres.adminUrl()), user: role, password };
    await makeHubSession(await connect(first)).join("dora-pc", makeVerifier(makePassword()));
    await expect(connectHub(first)).rejects.toMatchObject({ code: "hub_refused" });
  });
}
