import { mkdirSync, readFileSync, realpathSync } from "node:fs";
import { embedRows } from "../../src/store/embed-rows.ts";
import { openEmbedder } from "../../src/store/embedder.ts";
import { openStore } from "../../src/store/open-store.ts";
import { emptyBash, knowHooks } from "./hook-commands.ts";
import { p50, p95, Samples } from "./measure.ts";
import { makePayload, makeSessionId } from "./payloads.ts";
import type { Section } from "./report.ts";
import type { BenchHome, Stage } from "./stage.ts";
import { keepSynthetic, makeRandom, synthesise } from "./synthetic.ts";

const count = 100_000;
const prompts = 120;

/** Prompts and session starts with a hundred thousand stored notes, half of them in this project. */
export async function benchRecall(stage: Stage): Promise<Section> {
  const bench = stage.openHome("recall");
  const words = fill(bench);
  knowHooks(bench.stopwatch, stage.plugin);
  await bench.startDirectly();
  const cwd = bench.env.HOME as string;
  const sessionId = makeSessionId();
  await bench.stopwatch.time("SessionStart", makePayload("SessionStart", sessionId, cwd));
  const samples = new Samples();
  const random = makeRandom(3);
  const time = async (name: string, payload: string): Promise<void> =>
    samples.add(name, (await bench.stopwatch.time(name, payload)).ms);
  for (let n = 0; n < prompts; n++) {
    const prompt = Array.from({ length: 9 }, () => words[Math.floor(random() * words.length)]).join(" ");
    const payload = JSON.parse(makePayload("UserPromptSubmit", sessionId, cwd));
    samples.add(emptyBash, (await bench.stopwatch.time("empty-bash")).ms);
    await time("UserPromptSubmit", JSON.stringify({ ...payload, prompt }));
    if (n % 4 === 0) await time("SessionStart", makePayload("SessionStart", makeSessionId(), cwd));
  }
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${bench.pid()}/status`, "utf8"))?.[1]) / 1024;
  await bench.stop();

  const rows = [emptyBash, "UserPromptSubmit", "SessionStart"].map((name) => {
    const values = samples.of(name);
    return [name, values.length, p50(values), p95(values), Math.max(...values)];
  });
  return {
    title: `Recall with ${count} observations stored (ms)`,
    columns: ["", "n", "p50", "p95", "worst"],
    rows,
    notes: [`Daemon with its memory worker: ${Math.round(rss)} MB resident.`],
    bars: [
      {
        name: "prompt p95, 100,000 observations",
        measured: p95(samples.of("UserPromptSubmit")),
        limit: { atMost: 35 },
        unit: "ms",
      },
      {
        name: "session start p95, 100,000 observations",
        measured: p95(samples.of("SessionStart")),
        limit: { atMost: 50 },
        unit: "ms",
      },
      { name: "daemon, 100,000 observations", measured: rss, limit: { atMost: 150 }, unit: "MB" },
    ],
  };
}

/** Writes the notes before the daemon starts; returns the words that prompts are made of. */
function fill({ home, env }: BenchHome): string[] {
  mkdirSync(home.root, { recursive: true, mode: 0o700 });
  const store = openStore(home.database, () => Date.now());
  const words: string[] = [];
  const path = realpathSync(env.HOME as string);
  keepSynthetic(
    store,
    synthesise(count),
    ({ text }) => {
      if (words.length < 5_000) words.push(...text.split(" ").slice(0, 5));
    },
    (project) => (project === "p0" ? path : `/nowhere/${project}`),
  );
  const embedder = openEmbedder();
  for (let batch = embedRows(store.db, embedder, 500); batch; batch = embedRows(store.db, embedder, 500)) {
    const made = batch;
    store.db.transaction(() => store.vectors.put(made));
  }
  store.close();
  return words;
}
