import type { HubConnection } from "./connect.ts";

/** The machine as the hub knows it. */
export interface HubIdentity {
  state: "invited" | "joined" | "revoked";
  hub: string;
  epoch: string;
  version: number;
  oldestClient: number;
  device: string;
  deviceName: string | null;
  member: string;
  readOnly: boolean;
}

export interface OutgoingRow {
  id: string;
  kind: string;
  version: number;
  madeAt: number;
  body: object;
}

/** The hub's answer for one row. A number says that it is stored. */
export interface PushOutcome {
  id: string;
  outcome: "kept" | "known" | "gone" | "not yours" | "not valid";
  seq: number | null;
}

export interface IncomingRow {
  id: string;
  seq: number;
  kind: string;
  version: number;
  /** Null: forgotten. */
  body: unknown;
  device: string;
  deviceName: string;
  deviceKind: "person" | "machine";
  author: string;
  /** The member who forgot it. */
  goneBy: string | null;
  madeAt: number;
}

interface KnownProject {
  id: string;
  name: string;
  members: number;
  notes: number;
}

/** A machine that has a project, and how far it has applied it. */
interface ProjectMachine {
  name: string;
  seq: number;
}

export interface HubLease {
  id: string;
  holder: string;
  device: string;
  deviceName: string;
  author: string;
  globs: string[];
  isExclusive: boolean;
  /** By the hub's clock. */
  secondsLeft: number;
}

/** The newest revision of a task, on any machine. */
interface HubTask {
  rev: number;
  state: string;
  by: string;
  device: string;
  deviceName: string;
  author: string;
}

/** A project as a poll reports it. */
export interface PolledProject {
  /** The highest number of its records. */
  head: number;
  /** Increases with every change of its leases; undefined: an older hub does not say. */
  fence?: number;
}

/** The first schema with `poll_v1`. */
const pollVersion = 3;

/** The statements of a machine. Each is a function of the hub or a query under its policies. */
export interface HubSession {
  whoami(): Promise<HubIdentity>;
  /** All that a machine asks for regularly, in one statement if the hub has this version of the schema. */
  poll(version: number): Promise<{ identity: HubIdentity; projects: Map<string, PolledProject> }>;
  join(deviceName: string, verifier: string): Promise<HubIdentity>;
  leave(): Promise<void>;
  findProject(key: string): Promise<KnownProject | undefined>;
  link(key: string, name: string): Promise<string>;
  unlink(project: string): Promise<void>;
  /** The highest number of each project of this machine. */
  heads(): Promise<Map<string, number>>;
  push(project: string, rows: readonly OutgoingRow[]): Promise<PushOutcome[]>;
  forget(project: string, ids: readonly string[]): Promise<PushOutcome[]>;
  pull(project: string, after: number, limit: number): Promise<IncomingRow[]>;
  markSeen(project: string, seq: number): Promise<void>;
  machines(project: string): Promise<ProjectMachine[]>;
  leases(project: string): Promise<{ fence: number; leases: HubLease[] }>;
  /** False if the leases have changed since they were read. */
  takeLease(
    project: string,
    fence: number,
    lease: { id: string; holder: string; globs: readonly string[]; isExclusive: boolean; seconds: number },
  ): Promise<boolean>;
  releaseLease(project: string, id: string): Promise<void>;
  task(project: string, id: string): Promise<HubTask | undefined>;
  /** False if another machine has changed the task since it was `known`; undefined: the hub did not know it. */
  changeTask(
    project: string,
    known: number | undefined,
    task: { id: string; rev: number; state: string; by: string },
  ): Promise<boolean>;
}

export function makeHubSession(db: Pick<HubConnection, "query">): HubSession {
  async function one<T>(sql: string, values: readonly unknown[] = []): Promise<T> {
    const [row] = await db.query<{ value: T }>(sql, values);
    return row?.value as T;
  }
  async function heads(): Promise<Map<string, number>> {
    const rows = await db.query<{ id: string; head: number }>("SELECT id, head FROM rookery.projects");
    return new Map(rows.map(({ id, head }) => [id, head]));
  }
  const whoami = (): Promise<HubIdentity> => one("SELECT rookery.whoami_v1() AS value");
  return {
    whoami,
    async poll(version) {
      if (version < pollVersion) {
        const identity = await whoami();
        const projects = [...(await heads())].map(([id, head]) => [id, { head }] as const);
        return { identity, projects: new Map(projects) };
      }
      const { identity, projects } = await one<{
        identity: HubIdentity;
        projects: { id: string; head: number; fence: number }[];
      }>("SELECT rookery.poll_v1() AS value");
      return { identity, projects: new Map(projects.map(({ id, ...project }) => [id, project])) };
    },
    join: (name, verifier) => one("SELECT rookery.join_v1($1, $2) AS value", [name, verifier]),
    leave: () => one("SELECT rookery.leave_v1() AS value"),
    async findProject(key) {
      const [found] = await db.query<KnownProject>("SELECT * FROM rookery.find_project_v1($1)", [key]);
      return found;
    },
    link: (key, name) => one("SELECT rookery.link_v1($1, $2) AS value", [key, name]),
    unlink: (project) => one("SELECT rookery.unlink_v1($1) AS value", [project]),
    heads,
    push: (project, rows) =>
      db.query("SELECT * FROM rookery.push_v1($1, $2)", [project, JSON.stringify(rows)]),
    forget: (project, ids) => db.query("SELECT * FROM rookery.forget_v1($1, $2)", [project, ids]),
    pull: (project, after, limit) =>
      db.query(
        `SELECT r.id, r.seq, r.kind, r.body_v AS version, r.body, d.id AS device, d.name AS "deviceName",
           d.kind AS "deviceKind", m.name AS author, g.name AS "goneBy",
           (extract(epoch FROM r.made_at) * 1000)::float8 AS "madeAt"
         FROM rookery.records r JOIN rookery.devices d ON d.id = r.device_id JOIN rookery.members m ON m.id = r.member_id
           LEFT JOIN rookery.members g ON g.id = r.gone_by
         WHERE r.project_id = $1 AND r.seq > $2 ORDER BY r.seq LIMIT $3`,
        [project, after, limit],
      ),
    markSeen: (project, seq) => one("SELECT rookery.seen_v1($1, $2) AS value", [project, seq]),
    machines: (project) =>
      db.query(
        `SELECT m.name || '@' || d.name AS name, c.seq FROM rookery.cursors c JOIN rookery.devices d ON d.id = c.device_id
           JOIN rookery.members m ON m.id = d.member_id
         WHERE c.project_id = $1 AND d.revoked_at IS NULL AND (d.expires_at IS NULL OR d.expires_at > now()) ORDER BY 1`,
        [project],
      ),
    async leases(project) {
      const fence = await one<number>("SELECT fence AS value FROM rookery.projects WHERE id = $1", [project]);
      const leases = await db.query<HubLease>(
        `SELECT l.id, l.holder, l.device_id AS device, d.name AS "deviceName", m.name AS author, l.globs,
           l.exclusive AS "isExclusive", extract(epoch FROM l.expires_at - now())::float8 AS "secondsLeft"
         FROM rookery.leases l JOIN rookery.devices d ON d.id = l.device_id JOIN rookery.members m ON m.id = d.member_id
         WHERE l.project_id = $1 AND l.expires_at > now()`,
        [project],
      );
      return { fence, leases };
    },
    takeLease: async (project, fence, { id, holder, globs, isExclusive, seconds }) =>
      (await one("SELECT rookery.take_lease_v1($1, $2, $3, $4, $5, $6, $7) AS value", [
        project,
        fence,
        id,
        holder,
        globs,
        isExclusive,
        seconds,
      ])) !== null,
    releaseLease: (project, id) => one("SELECT rookery.release_lease_v1($1, $2) AS value", [project, id]),
    async task(project, id) {
      const [task] = await db.query<HubTask>(
        `SELECT t.rev, t.state, t.changed_by AS by, t.device_id AS device, d.name AS "deviceName", m.name AS author
         FROM rookery.tasks t JOIN rookery.devices d ON d.id = t.device_id JOIN rookery.members m ON m.id = d.member_id
         WHERE t.project_id = $1 AND t.id = $2`,
        [project, id],
      );
      return task;
    },
    changeTask: async (project, known, { id, rev, state, by }) =>
      (await one("SELECT rookery.change_task_v1($1, $2, $3, $4, $5, $6) AS value", [
        project,
        id,
        known ?? null,
        rev,
        state,
        by,
      ])) !== null,
  };
}
