import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { LoadOrder, LoadRound } from "./load-writer.ts";
import { p50, readCpuMs, readPeakRssMb, readRssMb } from "./measure.ts";
import type { Section } from "./report.ts";
import type { BenchHome, Stage } from "./stage.ts";

const writer = fileURLToPath(new URL("./load-writer.ts", import.meta.url));
const clients = 16;

interface Watched extends LoadRound {
  daemonCpuMs: number | undefined;
}

/** Events per second that are committed and acknowledged, through the spool and the API. The daemon stays running. */
export async function benchIngest(stage: Stage, bench: BenchHome): Promise<Section> {
  await bench.startDirectly();
  const spool = await load(stage, bench, "spool", [800, 4000, 4000, 4000]);
  const api = await load(stage, bench, "api", [2000, 8000, 8000, 8000]);
  const pid = bench.pid();
  const spoolRate = p50(spool.map(rate));
  const apiRate = p50(api.map(rate));
  const peak = readPeakRssMb(pid);
  return {
    title: `Ingest: ${clients} clients, 2 KB, acknowledged after the commit`,
    columns: ["", "events", "events/s", "per CPU second", "CPU of the daemon", "CPU of the clients"],
    rows: [
      ...spool.map((round) => describe("spool and bell", round)),
      ...api.map((round) => describe("API", round)),
    ],
    notes: [
      "CPU in shares of one core; per CPU second of the daemon is what it would do with a core to itself.",
      "Every acknowledged event was in the database when its round was over.",
      `Daemon right after: ${readRssMb(pid).toFixed(0)} MB resident${peak ? `, ${peak.toFixed(0)} MB at most` : ""}.`,
    ],
    bars: [
      {
        name: "through spool and bell, p50 of 3",
        measured: spoolRate,
        unit: "events/s",
        limit: { atLeast: 1500 },
      },
      { name: "through the API, p50 of 3", measured: apiRate, unit: "events/s", limit: { atLeast: 3000 } },
    ],
  };
}

async function load(
  stage: Stage,
  bench: BenchHome,
  mode: "spool" | "api",
  rounds: readonly number[],
): Promise<Watched[]> {
  const { home, env } = bench;
  const order: LoadOrder = {
    clients,
    rounds,
    bytes: 2048,
    cwd: env.HOME as string,
    spoolFolder: home.spool,
    bellPort: Number(readFileSync(home.bell, "utf8")),
    apiPort: bench.port(),
    token: readFileSync(home.token, "utf8").trim(),
  };
  const pid = bench.pid();
  const args = ["--disable-warning=ExperimentalWarning", writer, mode, JSON.stringify(order)];
  const child = stage.run(process.execPath, args, env);
  if (!child.stdout) throw new Error("the load writer has no stdout");
  const watched: Watched[] = [];
  let stored = bench.count();
  let cpuBefore = readCpuMs(pid);
  for await (const line of createInterface({ input: child.stdout })) {
    const round = JSON.parse(line) as LoadRound;
    const cpuNow = readCpuMs(pid);
    const daemonCpuMs = cpuNow === undefined || cpuBefore === undefined ? undefined : cpuNow - cpuBefore;
    watched.push({ ...round, daemonCpuMs });
    stored += round.events;
    if (bench.count() < stored) throw new Error(`${mode}: ${stored} acknowledged, ${bench.count()} stored`);
    cpuBefore = cpuNow;
  }
  if (watched.length !== rounds.length) throw new Error(`the load writer ended with ${child.exitCode}`);
  if (bench.count() !== stored) throw new Error(`${mode}: ${stored} sent, ${bench.count()} stored`);
  return watched.slice(1);
}

function rate({ events, ms }: LoadRound): number {
  return (events / ms) * 1000;
}

function describe(way: string, round: Watched): (string | number | undefined)[] {
  const share = (cpuMs: number | undefined): string =>
    cpuMs === undefined ? "–" : `${Math.round((cpuMs / round.ms) * 100)} %`;
  const perCpuSecond = round.daemonCpuMs && (round.events / round.daemonCpuMs) * 1000;
  return [
    way,
    round.events,
    Math.round(rate(round)),
    perCpuSecond,
    share(round.daemonCpuMs),
    share(round.cpuMs),
  ];
}
