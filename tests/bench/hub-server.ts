import { setTimeout as pause } from "node:timers/promises";
import { createHub, inviteToHub } from "../../src/hub/administer.ts";
import { connectHub, type HubConnection } from "../../src/hub/connect.ts";
import { makePassword, makeVerifier } from "../../src/hub/scram.ts";
import { type HubSession, makeHubSession } from "../../src/hub/hub-session.ts";
import { type HubTarget, parseHubUrl } from "../../src/hub/target.ts";
import { findPostgres, openPostgres, type Postgres } from "../support/postgres.ts";
import { descendantsOf } from "../support/processes.ts";
import { p50, p95, readCpuMs } from "./measure.ts";
import type { Section } from "./report.ts";
import { makeRandom, synthesise } from "./synthetic.ts";

const machines = 500;
const pollMs = 10_000;
/** In its first polls, a connection compiles and plans what it then repeats. */
const settleMs = 75_000;
const idleMs = 40_000;
const writers = 20;
const commitMs = 10_000;
const projects = 50;
const notesPerProject = 20_000;
const pages = 400;
const pageSize = 500;

export const postgresMissing = "There is no PostgreSQL: run npm ci in tests/tools.";

interface Machine {
  db: HubConnection;
  session: HubSession;
}

/** The database alone, with simulated machines that send the statements of a daemon. */
export async function benchHubServer(): Promise<Section> {
  const title = `Hub: the database, with ${machines} simulated machines`;
  const columns = ["", "measured", ""];
  if (findPostgres() === undefined) return { title, columns, rows: [], notes: [postgresMissing], bars: [] };
  const postgres = await openDurablePostgres();
  const connected: Machine[] = [];
  try {
    const admin = await connectHub(parseHubUrl(postgres.adminUrl()));
    await createHub(admin);
    const joinedAt = performance.now();
    for (let n = 0; n < machines; n++) connected.push(await joinMachine(postgres, admin, `m${n}`));
    await admin.close();
    const joinMs = (performance.now() - joinedAt) / machines;
    const idle = await measureIdle(postgres, connected);
    const commits = await measureCommits(connected.slice(0, writers));
    const { times, cpuMs } = await measurePages(postgres, connected[0] as Machine);
    return {
      title,
      columns,
      rows: [
        ["invite, join and link a project, each machine", joinMs, "ms"],
        ["polls per second", idle.pollsPerSecond, ""],
        ["CPU of a poll", idle.cpuMs / idle.pollsPerSecond, "ms"],
        [`page of ${pageSize} of ${projects * notesPerProject} notes, p50`, p50(times), "ms"],
        ["CPU of PostgreSQL for a page", cpuMs, "ms"],
      ],
      bars: [
        {
          name: `hub: CPU of PostgreSQL, ${machines} machines poll every ${pollMs / 1_000} s`,
          measured: idle.cpuMs / 10,
          unit: "% of a core",
          limit: { atMost: 3 },
        },
        {
          name: `hub: commits into one project, ${writers} writers`,
          measured: commits,
          unit: "/s",
          limit: { atLeast: 100 },
        },
        {
          name: `hub: page of ${pageSize} of 1 M notes, p95`,
          measured: p95(times),
          unit: "ms",
          limit: { atMost: 20 },
        },
      ],
    };
  } finally {
    for (const { db } of connected) await db.close();
    await postgres.close();
  }
}

/** As a user runs it: every commit is written to disk. */
export function openDurablePostgres(): Promise<Postgres> {
  return openPostgres(findPostgres(), ["fsync=on", `max_connections=${machines + 100}`]);
}

async function joinMachine(postgres: Postgres, admin: HubConnection, name: string): Promise<Machine> {
  const request = { name, kind: "person", isReadOnly: false, isAdmin: false, projects: [] } as const;
  const { role, password } = await inviteToHub(admin, request);
  const first: HubTarget = { ...parseHubUrl(postgres.adminUrl()), user: role, password };
  const invited = await connectHub(first);
  const own = makePassword();
  await makeHubSession(invited).join("laptop", makeVerifier(own));
  await invited.close();
  const db = await connectHub({ ...first, password: own });
  const session = makeHubSession(db);
  await session.link("git.example.org/acme/api", "api");
  return { db, session };
}

/** All machines hold a connection and poll, as with a live session each. CPU in ms per second. */
async function measureIdle(
  postgres: Postgres,
  connected: readonly Machine[],
): Promise<{ cpuMs: number; pollsPerSecond: number }> {
  let polls = 0;
  let isOver = false;
  const pollUntilOver = async ({ session }: Machine): Promise<void> => {
    let version = 0;
    for (let ms = pollMs * Math.random(); !isOver; ms = pollMs * (0.7 + 0.6 * Math.random())) {
      await pause(ms);
      ({ version } = (await session.poll(version)).identity);
      polls += 1;
    }
  };
  const polling = Promise.all(connected.map(pollUntilOver));
  await pause(settleMs);
  const before = { polls, cpu: await readServerCpuMs(postgres.pid()) };
  await pause(idleMs);
  const cpuMs = ((await readServerCpuMs(postgres.pid())) - before.cpu) / (idleMs / 1_000);
  const pollsPerSecond = (polls - before.polls) / (idleMs / 1_000);
  isOver = true;
  await polling;
  return { cpuMs, pollsPerSecond };
}

/** Of the server and its connections. */
async function readServerCpuMs(pid: number): Promise<number> {
  const all = [pid, ...(await descendantsOf(pid)).map((child) => child.pid)];
  return all.reduce((sum, each) => sum + (readCpuMs(each) ?? 0), 0);
}

/** One note per commit. */
async function measureCommits(connected: readonly Machine[]): Promise<number> {
  const project = await (connected[0] as Machine).session.link("git.example.org/acme/api", "api");
  const until = performance.now() + commitMs;
  const counts = await Promise.all(
    connected.map(async ({ session }, writer) => {
      let count = 0;
      for (; performance.now() < until; count++)
        await session.push(project, [
          makeRow(`writer-${writer}-${count}`, "Invoices are numbered per tenant."),
        ]);
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0) / (commitMs / 1_000);
}

export function makeRow(
  id: string,
  title: string,
  narrative = title,
): Parameters<HubSession["push"]>[1][number] {
  const lists = { facts: [], concepts: [], filesRead: [], filesModified: ["src/invoice.ts"] };
  const body = { type: "discovery", title, narrative, ...lists, provenance: "user", supersededBy: null };
  return { id, kind: "note", version: 1, madeAt: Date.now(), body };
}

/** Reads pages anywhere in the feeds of projects with a million notes in all, under the machine's policies. */
async function measurePages(
  postgres: Postgres,
  { session }: Machine,
): Promise<{ times: number[]; cpuMs: number }> {
  const linked: string[] = [];
  for (let n = 0; n < projects; n++) linked.push(await session.link(`git.example.org/acme/p${n}`, `p${n}`));
  const texts = [...synthesise(200)].map(({ title, text }) => makeRow("", title, `${text} ${text}`).body);
  const notes = JSON.stringify(texts).replaceAll("'", "''");
  await postgres.query(
    `CREATE TEMP TABLE texts AS SELECT value AS body, ordinality AS n FROM jsonb_array_elements('${notes}') WITH ORDINALITY;
     CREATE INDEX ON texts (n);
     INSERT INTO rookery.records (project_id, id, seq, kind, member_id, device_id, made_at, body_v, body)
       SELECT p.id, p.name || '-note-' || i, i, 'note', d.member_id, d.id, now(), 1, t.body
       FROM rookery.projects p, generate_series(1, ${notesPerProject}) i, texts t, rookery.devices d, rookery.members m
       WHERE p.name <> 'api' AND t.n = 1 + i % 200 AND d.member_id = m.id AND m.name = 'm0';
     UPDATE rookery.projects SET head = ${notesPerProject} WHERE name <> 'api'`,
    "hub",
  );
  await postgres.query("VACUUM ANALYZE rookery.records", "hub");
  const random = makeRandom(1);
  const times: number[] = [];
  const before = await readServerCpuMs(postgres.pid());
  for (let page = 0; page < pages; page++) {
    const project = linked[Math.floor(random() * linked.length)] as string;
    const after = Math.floor(random() * (notesPerProject - pageSize));
    const from = performance.now();
    const rows = await session.pull(project, after, pageSize);
    times.push(performance.now() - from);
    if (rows.length !== pageSize) throw new Error(`a page has ${rows.length} notes`);
  }
  return { times, cpuMs: ((await readServerCpuMs(postgres.pid())) - before) / pages };
}
