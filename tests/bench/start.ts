import { join } from "node:path";
import { emptyNode, knowHooks } from "./hook-commands.ts";
import { p50, p95, Samples } from "./measure.ts";
import type { Section } from "./report.ts";
import type { Stage } from "./stage.ts";

const runs = 5;

/** Time from the spawn until /health answers, and the time a person waits for `rookery start`. */
export async function benchStart(stage: Stage): Promise<Section> {
  const samples = new Samples();
  const direct = "node dist/daemon.js until /health";
  const fresh = "the same in a new home";
  const launched = "rookery start, end to end";
  const bench = stage.openHome("start");
  knowHooks(bench.stopwatch, stage.plugin);
  bench.stopwatch.know("start", [join(stage.plugin, "bin", "rookery"), "start"]);
  await bench.startDirectly();
  await bench.stop();
  for (let run = 0; run < runs; run++) {
    samples.add(emptyNode, (await bench.stopwatch.time("empty-node")).ms);
    samples.add(direct, await bench.startDirectly());
    await bench.stop();
    samples.add(launched, (await bench.stopwatch.time("start")).ms);
    await bench.stop();
    const other = stage.openHome(`start-${run}`);
    samples.add(fresh, await other.startDirectly());
    await other.stop();
  }
  const node = p50(samples.of(emptyNode));
  return {
    title: `Start (${runs} interleaved rounds, ms)`,
    columns: ["", "p50", "worst", "× node"],
    rows: samples.names().map((name) => {
      const values = samples.of(name);
      return [name, p50(values), p95(values), p50(values) / node];
    }),
    bars: [
      {
        name: "daemon ready, p50 of 5",
        measured: p50(samples.of(direct)),
        unit: "ms",
        limit: { atMost: 500 },
      },
      {
        name: "daemon ready in a new home, p50 of 5",
        measured: p50(samples.of(fresh)),
        unit: "ms",
        limit: { atMost: 500 },
      },
      { name: "rookery start, p50 of 5", measured: p50(samples.of(launched)), unit: "ms" },
    ],
  };
}
