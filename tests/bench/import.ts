/**
 * Measures how fast transcripts are imported, how much memory that takes, and how much it delays hooks:
 * `node tests/bench/import.ts [MB of one long transcript] [MB of many ordinary ones]`.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ImportView } from "../../src/protocol/import.ts";
import { emptyBash, knowHooks } from "./hook-commands.ts";
import { p50, quantile, readPeakRssMb, readRssMb, Samples } from "./measure.ts";
import { makePayload, makeSessionId } from "./payloads.ts";
import { writeCorpus } from "./import-corpus.ts";
import { formatBars, formatSection, type Section } from "./report.ts";
import { rate, runImport } from "./run-import.ts";
import { type BenchHome, openStage, type Stage } from "./stage.ts";

const megabyte = 1_000_000;
const [longMegabytes = "500", manyMegabytes = "200"] = process.argv.slice(2);
const transcriptWriter = fileURLToPath(new URL("./transcripts.ts", import.meta.url));
const hookEvents = ["UserPromptSubmit", "PostToolUse"];
const sessionId = makeSessionId();

const stage = openStage();
try {
  const section = await benchImport(stage);
  console.log(formatSection(section));
  console.log(formatBars([section]));
} finally {
  await stage.close();
}

async function benchImport(stage: Stage): Promise<Section> {
  const long = await importAlone(stage, "long", writeLong);
  const many = await importAlone(stage, "many", writeMany);
  const { samples, view } = await importWithHooks(stage);
  const hooks = hookEvents.flatMap((event) => samples.of(event));
  return {
    title: `Import of a transcript of ${describe(long.view)}, and of ${many.view.files} of ${describe(many.view)}`,
    columns: ["", "p50", "p95", "p99", "runs"],
    rows: samples.names().map((name) => {
      const of = samples.of(name);
      return [`${name}, import running (ms)`, p50(of), quantile(of, 0.95), quantile(of, 0.99), of.length];
    }),
    notes: [`With hooks in between: ${rate(view).toFixed(0)} MB/s.`],
    bars: [
      // Each turn is searchable in the commit that stores it.
      {
        name: "one long: stored, searchable",
        measured: rate(long.view),
        unit: "MB/s",
        limit: { atLeast: 20 },
      },
      { name: "many: stored, searchable", measured: rate(many.view), unit: "MB/s", limit: { atLeast: 20 } },
      { name: "one long: memory grew by", measured: long.grownMb, unit: "MB", limit: { atMost: 200 } },
      { name: "many: memory grew by", measured: many.grownMb, unit: "MB", limit: { atMost: 200 } },
      { name: "hook p99 while it runs", measured: quantile(hooks, 0.99), unit: "ms", limit: { atMost: 60 } },
    ],
  };
}

function describe({ bytes, turns, notes, summaries }: ImportView): string {
  return `${Math.round(bytes / megabyte)} MB (${turns} turns, ${notes} notes, ${summaries} summaries)`;
}

async function importAlone(
  stage: Stage,
  name: string,
  write: (claude: string) => void,
): Promise<{ view: ImportView; grownMb: number }> {
  const bench = stage.openHome(name);
  const claude = join(bench.env.HOME as string, ".claude");
  write(claude);
  await bench.startDirectly();
  const before = readRssMb(bench.pid());
  const view = await runImport(bench, claude, () => new Promise((resolve) => setTimeout(resolve, 50)));
  const grownMb = (readPeakRssMb(bench.pid()) ?? readRssMb(bench.pid())) - before;
  await bench.stop();
  return { view, grownMb };
}

async function importWithHooks(stage: Stage): Promise<{ view: ImportView; samples: Samples }> {
  const bench = stage.openHome("hooks");
  const claude = join(bench.env.HOME as string, ".claude");
  writeMany(claude);
  knowHooks(bench.stopwatch, stage.plugin);
  await bench.startDirectly();
  await runHooks(bench, new Samples()); // Warm-up: the first prompt starts the search worker.
  const samples = new Samples();
  const view = await runImport(bench, claude, () => runHooks(bench, samples));
  await bench.stop();
  return { view, samples };
}

async function runHooks({ stopwatch, env }: BenchHome, samples: Samples): Promise<void> {
  samples.add(emptyBash, (await stopwatch.time("empty-bash")).ms);
  for (const event of hookEvents)
    samples.add(event, (await stopwatch.time(event, makePayload(event, sessionId, env.HOME as string))).ms);
}

function writeMany(claude: string): void {
  writeCorpus(claude, Number(manyMegabytes));
}

function writeLong(claude: string): void {
  const folder = join(claude, "projects", "-bench");
  mkdirSync(folder, { recursive: true });
  // In a separate process, so that its memory is not counted.
  execFileSync(process.execPath, [transcriptWriter, longMegabytes, join(folder, "long.jsonl")]);
}
