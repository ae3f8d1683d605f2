import { writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { benchAsk } from "./ask.ts";
import { benchBacklog } from "./backlog.ts";
import { benchCli } from "./cli.ts";
import { benchHostHooks, benchOpenCode } from "./hosts.ts";
import { benchHooksAlone } from "./hooks-alone.ts";
import { benchHooks } from "./hooks.ts";
import { benchHubBackfill, benchHubCost, benchHubLag } from "./hub-machines.ts";
import { benchHubServer } from "./hub-server.ts";
import { benchIngest } from "./ingest.ts";
import { benchMemory } from "./memory.ts";
import { benchPeer } from "./peer.ts";
import { benchRecall } from "./recall.ts";
import { formatBars, formatSection, judge, type Section } from "./report.ts";
import { benchSearch } from "./search-speed.ts";
import { benchSession } from "./session.ts";
import { benchSlack } from "./slack.ts";
import { type BenchHome, openStage, type Stage } from "./stage.ts";
import { benchStart } from "./start.ts";
import { benchViewer } from "./viewer.ts";

const hubParts = "hub-server,hub-lag,hub-cost,hub-backfill";

const usage = `npm run bench -- [--json FILE] [--strict] [--plugin DIR] [--only hooks,hosts,opencode,alone,start,ingest,backlog,memory,recall,ask,slack,cli,session,search,viewer,hub] [--rows N] [--peer]
  --json FILE   write all figures there as well
  --strict      exit 1 if a bar is missed
  --plugin DIR  measure another build of the plugin
  --only hub    is ${hubParts}
  --peer        measure claude-mem's hooks beside ours instead; downloads it and its runtime from npm
  --rows N      how many observations search is measured with: 100000, say 1000000
Example: npm run bench -- --strict --json bench.json`;

const { values: flags } = parseArgs({
  options: {
    json: { type: "string" },
    strict: { type: "boolean" },
    only: { type: "string" },
    plugin: { type: "string" },
    peer: { type: "boolean" },
    rows: { type: "string", default: "100000" },
    help: { type: "boolean" },
  },
});
if (flags.help) console.log(usage);
else await bench();

async function bench(): Promise<void> {
  const stage = openStage(flags.plugin);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => void stage.close().finally(() => process.kill(process.pid, signal)));
  try {
    console.log(`Rookery bench: ${describeMachine()}`);
    report(await runSections(stage));
  } finally {
    await stage.close();
  }
}

async function runSections(stage: Stage): Promise<Section[]> {
  let loaded: BenchHome | undefined;
  const all: Record<string, () => Promise<Section>> = {
    hooks: () => benchHooks(stage),
    hosts: () => benchHostHooks(stage),
    opencode: () => benchOpenCode(stage),
    alone: () => benchHooksAlone(stage),
    start: () => benchStart(stage),
    ingest: () => benchIngest(stage, (loaded = stage.openHome("ingest"))),
    backlog: () => benchBacklog(stage),
    memory: () => benchMemory(stage, loaded),
    recall: () => benchRecall(stage),
    ask: () => benchAsk(stage),
    slack: () => benchSlack(stage),
    cli: () => benchCli(stage),
    session: () => benchSession(),
    search: async () => benchSearch(Number(flags.rows)),
    viewer: () => benchViewer(stage),
    "hub-server": () => benchHubServer(),
    "hub-lag": () => benchHubLag(stage),
    "hub-cost": () => benchHubCost(stage),
    "hub-backfill": () => benchHubBackfill(stage),
  };
  if (flags.peer) return runPeer(stage);
  const done: Section[] = [];
  const wanted = flags.only?.replace(/\bhub\b(?!-)/, hubParts).split(",");
  for (const name of wanted ?? Object.keys(all)) {
    const run = all[name];
    if (!run) throw new Error(`Unknown section "${name}".\n${usage}`);
    const section = await run();
    console.log(formatSection(section));
    done.push(section);
  }
  return done;
}

async function runPeer(stage: Stage): Promise<Section[]> {
  const section = await benchPeer(stage);
  console.log(formatSection(section));
  return [section];
}

function report(sections: Section[]): void {
  console.log(formatBars(sections));
  console.log(`\nLoad at the end ${describeLoad()}, ${Math.round(performance.now() / 1000)} s in all.`);
  const bars = sections.flatMap((section) => section.bars.map((bar) => ({ ...bar, verdict: judge(bar) })));
  if (flags.json)
    writeFileSync(
      flags.json,
      `${JSON.stringify({ at: new Date().toISOString(), machine: describeMachine(), bars, sections }, null, 2)}\n`,
    );
  if (flags.strict && bars.some(({ verdict }) => verdict === "MISSED")) process.exitCode = 1;
}

function describeMachine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `Node ${process.versions.node}, ${process.platform}, ${cpus().length} cores, ${memory} GB, load ${describeLoad()}`;
}

function describeLoad(): string {
  return loadavg()[0]?.toFixed(2) ?? "unknown";
}
