import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { decodeInvite, encodeInvite } from "../../src/hub/target.ts";
import { connectHub } from "../../src/hub/connect.ts";
import { makeHubSession } from "../../src/hub/hub-session.ts";
import { openDatabase } from "../../src/sqlite/sqlite.ts";
import { readSecrets } from "../../src/config/secrets.ts";
import { openOutside, type Outside } from "../support/outside.ts";
import { findPostgres, type Postgres } from "../support/postgres.ts";
import { waitFor } from "../support/processes.ts";
import { emptyBash, knowHooks } from "./hook-commands.ts";
import { type HubProxy, type HubReach, openHubProxy } from "../support/hub-proxy.ts";
import { makeRow, openDurablePostgres, postgresMissing } from "./hub-server.ts";
import { p50, p95, quantile, readCpuMs, readRssMb, Samples } from "./measure.ts";
import { makePayload, makeSessionId } from "./payloads.ts";
import type { Bar, Section } from "./report.ts";
import type { BenchHome, Stage } from "./stage.ts";
import { synthesise } from "./synthetic.ts";

const lagNotes = 40;
const startRounds = 20;
const backfillNotes = 100_000;
const hookRounds = 60;
const settleMs = 30_000;
const idleMs = 30_000;
const remote = "git@git.example.org:acme/api.git";
const key = "git.example.org/acme/api";
const reaches: readonly HubReach[] = ["up", "down", "hung", "far"];
const events = ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"] as const;

/** The parts that all measurements use. */
interface HubBench {
  stage: Stage;
  person: Outside;
  postgres: Postgres;
  admin: BenchHome;
}

/** Delays from a write on one machine to a search on another. */
export const benchHubLag = (stage: Stage): Promise<Section> => withHub(stage, "Hub: delays", measureLag);

/** The cost of a hub for hooks and an idle daemon, also of one that cannot be reached. */
export const benchHubCost = (stage: Stage): Promise<Section> => withHub(stage, "Hub: cost", measureCost);

/** A new machine in a project with many notes. */
export const benchHubBackfill = (stage: Stage): Promise<Section> =>
  withHub(stage, "Hub: a new machine", measureBackfill);

async function withHub(
  stage: Stage,
  title: string,
  measure: (bench: HubBench) => Promise<Bar[]>,
): Promise<Section> {
  const columns = ["", "measured", ""];
  if (findPostgres() === undefined) return { title, columns, rows: [], notes: [postgresMissing], bars: [] };
  const person = await openOutside();
  const postgres = await openDurablePostgres();
  try {
    const admin = await openMachine(stage, `admin-of-${measure.name}`);
    const bench: HubBench = { stage, person, postgres, admin };
    await post(bench, admin, "/api/hub/create", { url: postgres.adminUrl() });
    const bars = await measure(bench);
    await admin.stop();
    return { title, columns, rows: bars.map(({ name, measured, unit }) => [name, measured, unit]), bars };
  } finally {
    await person.close();
    await postgres.close();
  }
}

/** A home with a checkout of the shared repository. Without rooms. */
async function openMachine(stage: Stage, name: string): Promise<BenchHome> {
  const machine = stage.openHome(`hub-${name}`, { matrix: { enabled: false }, desktop: { enabled: "off" } });
  knowHooks(machine.stopwatch, stage.plugin);
  const cwd = folderOf(machine);
  mkdirSync(cwd, { recursive: true });
  execFileSync("git", ["init", "-q", cwd]);
  execFileSync("git", ["-C", cwd, "remote", "add", "origin", remote]);
  await machine.startDirectly();
  return machine;
}

function folderOf({ env }: BenchHome): string {
  return join(env["HOME"] as string, "api");
}

async function post({ person }: HubBench, machine: BenchHome, path: string, body: object): Promise<any> {
  const { status, text, json } = await person.call(machine, "POST", path, body);
  if (status >= 300) throw new Error(`${path}: ${status} ${text}`);
  return json;
}

async function joinHub(bench: HubBench, machine: BenchHome, name: string, port?: number): Promise<void> {
  const { code } = await post(bench, bench.admin, "/api/hub/invite", { name });
  const target = decodeInvite(code);
  await post(bench, machine, "/api/hub/join", {
    code: encodeInvite({ ...target, port: port ?? target.port }),
    device: "laptop",
  });
}

const share = (bench: HubBench, machine: BenchHome): Promise<unknown> =>
  post(bench, machine, "/api/hub/share", { project: folderOf(machine) });

async function runHook(machine: BenchHome, event: string, sessionId: string): Promise<number> {
  return (await machine.stopwatch.time(event, makePayload(event, sessionId, folderOf(machine)))).ms;
}

/** A note with a word of its own. */
async function saveNote(machine: BenchHome, n: number | string): Promise<string> {
  const word = `zq${String(n).replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "")}xv`;
  const text = `The job ${word} archives invoices at night.`;
  await machine.call("POST", "/api/notes", { project: folderOf(machine), type: "discovery", text });
  return word;
}

async function isFound(machine: BenchHome, word: string): Promise<boolean> {
  const { results } = await machine.call<{ results: object[] }>("GET", `/api/search?q=${word}`);
  return JSON.stringify(results).includes(word);
}

async function measureLag(bench: HubBench): Promise<Bar[]> {
  const [ada, bob] = [await openMachine(bench.stage, "ada"), await openMachine(bench.stage, "bob")];
  for (const [name, machine] of [["ada", ada] as const, ["bob", bob] as const]) {
    await joinHub(bench, machine, name);
    await share(bench, machine);
  }
  const [atAda, atBob] = [makeSessionId(), makeSessionId()];
  await runHook(ada, "SessionStart", atAda);
  await runHook(bob, "SessionStart", atBob);
  const written = new Map<string, number>();
  const lags: number[] = [];
  let left = lagNotes;
  const writing = (async () => {
    for (; left > 0; left--) {
      const at = performance.now();
      written.set(await saveNote(ada, `lag${left}`), at);
      await pause(1_500);
    }
  })();
  while (left > 0 || written.size > 0) {
    for (const [word, at] of written) {
      if (!(await isFound(bob, word))) break;
      lags.push(performance.now() - at);
      written.delete(word);
    }
    await pause(50);
  }
  await writing;
  await runHook(bob, "SessionEnd", atBob);
  const starts: number[] = [];
  for (let round = 0; starts.length < startRounds; round++) {
    const word = await saveNote(ada, `start${round}`);
    const isSent = async (): Promise<boolean> =>
      (await bench.postgres.query(`SELECT 1 FROM rookery.records WHERE body::text LIKE '%${word}%'`, "hub"))
        .length > 0;
    await waitFor(isSent, { describe: "the note on the hub" });
    // A poll of the session before brought it.
    if (await isFound(bob, word)) continue;
    const sessionId = makeSessionId();
    const at = performance.now();
    await runHook(bob, "SessionStart", sessionId);
    await waitFor(() => isFound(bob, word), { intervalMs: 10, describe: "the note at a session's start" });
    starts.push(performance.now() - at);
    await runHook(bob, "SessionEnd", sessionId);
  }
  for (const machine of [ada, bob]) await machine.stop();
  return [
    { name: "hub: write on A → searchable on B, p50", measured: p50(lags) / 1_000, unit: "s" },
    {
      name: "hub: write on A → searchable on B, p95",
      measured: p95(lags) / 1_000,
      unit: "s",
      limit: { atMost: 15 },
    },
    {
      name: "hub: session starts on B → A's note searchable, p95",
      measured: p95(starts) / 1_000,
      unit: "s",
      limit: { atMost: 1 },
    },
  ];
}

/** Two homes with the same sessions, one of them with a hub. */
async function measureCost(bench: HubBench): Promise<Bar[]> {
  const proxy = await openHubProxy(bench.postgres.port);
  try {
    const [plain, joined] = [
      await openMachine(bench.stage, "plain"),
      await openMachine(bench.stage, "joined"),
    ];
    await joinHub(bench, joined, "carol", proxy.port);
    await share(bench, joined);
    const hooks = await measureHooks(plain, joined, proxy);
    proxy.set("up");
    for (const machine of [plain, joined]) {
      await machine.stop();
      await machine.startDirectly();
      await runHook(machine, "SessionStart", makeSessionId());
    }
    const idle = await measureIdle(plain, joined);
    for (const machine of [plain, joined]) await machine.stop();
    return [...hooks, ...idle];
  } finally {
    await proxy.close();
  }
}

/** The hooks of a session, in turn with and without a hub. */
async function measureHooks(plain: BenchHome, joined: BenchHome, proxy: HubProxy): Promise<Bar[]> {
  const bars: Bar[] = [];
  const runSession = async (machine: BenchHome): Promise<number> => {
    const sessionId = makeSessionId();
    let ms = 0;
    for (const event of events) ms += await runHook(machine, event, sessionId);
    return ms;
  };
  for (const machine of [plain, joined]) await runSession(machine); // Warm-up.
  for (const reach of reaches) {
    proxy.set(reach);
    const samples = new Samples();
    const machines = [plain, joined];
    const cpuBefore = machines.map((machine) => readCpuMs(machine.pid()) ?? Number.NaN);
    for (let round = 0; round < hookRounds; round++) {
      const both = [["plain", plain] as const, ["joined", joined] as const];
      for (const [name, machine] of round % 2 === 0 ? both : both.toReversed())
        samples.add(name, await runSession(machine));
    }
    const cpu = machines.map(
      (machine, at) => ((readCpuMs(machine.pid()) ?? 0) - (cpuBefore[at] ?? 0)) / hookRounds,
    );
    for (const [at, name] of ["without a hub", `hub ${reach}`].entries())
      bars.push({ name: `${name}: CPU of the daemon, each session`, measured: cpu[at] ?? 0, unit: "ms" });
    for (const [name, pick] of [["p50", p50] as const, ["p95", p95] as const])
      bars.push({
        name: `hub ${reach}: hooks of a session, ${name}, of those without a hub`,
        measured: pick(samples.of("joined")) / pick(samples.of("plain")),
        unit: "×",
        limit: { atMost: 1.05 },
      });
  }
  return bars;
}

async function measureIdle(plain: BenchHome, joined: BenchHome): Promise<Bar[]> {
  await pause(settleMs);
  const read = (): number[] => [plain, joined].map((machine) => readCpuMs(machine.pid()) ?? Number.NaN);
  const before = read();
  await pause(idleMs);
  const [without = 0, withHub = 0] = read().map((ms, at) => (ms - (before[at] ?? 0)) / (idleMs / 1_000));
  const more = readRssMb(joined.pid()) - readRssMb(plain.pid());
  return [
    { name: "daemon, idle, without a hub: CPU", measured: without, unit: "ms/s" },
    { name: "daemon, idle, with a hub: CPU", measured: withHub, unit: "ms/s", limit: { atMost: 2 } },
    { name: "daemon, idle: memory more with a hub", measured: more, unit: "MB", limit: { atMost: 8 } },
  ];
}

/** A machine that joins a project with many notes, while its user works. */
async function measureBackfill(bench: HubBench): Promise<Bar[]> {
  const { admin, postgres } = bench;
  await joinHub(bench, admin, "zoe");
  const { connection } = readSecrets(admin.home.secrets).hub;
  if (!connection) throw new Error("the machine has not joined");
  const db = await connectHub(connection);
  const session = makeHubSession(db);
  const project = await session.link(key, "api");
  const pushedAt = performance.now();
  let rows: ReturnType<typeof makeRow>[] = [];
  for (const { id, title, text } of synthesise(backfillNotes)) {
    rows.push(makeRow(`note-${id}-of-zoe`, title, text));
    if (rows.length < 500) continue;
    await session.push(project, rows);
    rows = [];
  }
  await db.close();
  const pushMs = performance.now() - pushedAt;
  await postgres.query("VACUUM ANALYZE rookery.records", "hub");

  const fresh = await openMachine(bench.stage, "fresh");
  await joinHub(bench, fresh, "dave");
  const sessionId = makeSessionId();
  await runHook(fresh, "SessionStart", sessionId);
  const samples = new Samples();
  const notes = openNoteCount(fresh);
  let isOver = false;
  const from = performance.now();
  const cpuBefore = readCpuMs(fresh.pid()) ?? Number.NaN;
  const shared = share(bench, fresh);
  const arrived = waitFor(() => notes.count() === backfillNotes, {
    timeoutMs: 900_000,
    intervalMs: 500,
    describe: "all notes on the new machine",
  }).finally(() => (isOver = true));
  while (!isOver) {
    samples.add(emptyBash, (await fresh.stopwatch.time("empty-bash")).ms);
    for (const event of ["UserPromptSubmit", "PostToolUse"])
      samples.add("hooks", await runHook(fresh, event, sessionId));
    await pause(50);
  }
  await arrived;
  const tookMs = performance.now() - from;
  const cpuMs = (readCpuMs(fresh.pid()) ?? Number.NaN) - cpuBefore;
  notes.close();
  await shared;
  await fresh.stop();
  const p99 = (name: string): number => quantile(samples.of(name), 0.99);
  return [
    { name: "hub: push of 100,000 notes", measured: pushMs / 1_000, unit: "s", limit: { atMost: 60 } },
    {
      name: "hub: 100,000 notes searchable on a new machine",
      measured: tookMs / 1_000,
      unit: "s",
      limit: { atMost: 180 },
    },
    { name: "hub: CPU of the new machine's daemon meanwhile", measured: cpuMs / 1_000, unit: "s" },
    { name: "hub: hooks meanwhile, p50", measured: p50(samples.of("hooks")), unit: "ms" },
    { name: "hub: hooks meanwhile, p99", measured: p99("hooks"), unit: "ms", limit: { atMost: 60 } },
    { name: "hub: an empty bash meanwhile, p99", measured: p99(emptyBash), unit: "ms" },
  ];
}

/** By its database: a question to the daemon would delay the hooks that are measured. */
function openNoteCount(machine: BenchHome): { count(): number; close(): void } {
  const database = openDatabase(machine.home.database, { readOnly: true });
  const sql = "SELECT count(*) AS n FROM hub_records WHERE state = 'kept'";
  return { count: () => database.get<{ n: number }>(sql)?.n ?? 0, close: () => database.close() };
}
