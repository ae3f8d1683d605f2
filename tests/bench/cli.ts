import { join } from "node:path";
import { waitFor } from "../support/processes.ts";
import { startHook } from "./ask.ts";
import { emptyNode, knowHooks } from "./hook-commands.ts";
import { p50, p95, Samples } from "./measure.ts";
import { endChild, type BenchHome, type Stage } from "./stage.ts";
import type { Section } from "./report.ts";

/** With the warm-up, as many messages as an agent may send to another within a minute. */
const rounds = 9;
/** On a machine where `node -e 0` takes 39 ms or less; more on one that is slower or busy. */
const maxMs = 120;
const referenceMs = 39;

/** The wall time of everyday commands, in rounds that alternate with an empty Node. */
export async function benchCli(stage: Stage): Promise<Section> {
  const bench = stage.openHome("cli", { ask: { always: true } });
  bench.stopwatch.know("up", [join(stage.plugin, "bin", "rookery"), "up", "--json"]);
  // Installs the copy that a user runs; its folder also holds the compiled code.
  await bench.stopwatch.time("up");
  knowHooks(bench.stopwatch, stage.plugin);
  // Two sessions: the commands run under the first and send their messages to the second.
  const host = stage.run("sleep", ["600"], bench.env);
  const first = startHook(stage, bench, "make first");
  const [own] = await waitForQuestions(bench, 1);
  const second = startHook(
    stage,
    { ...bench, env: { ...bench.env, CLAUDE_PID: String(host.pid) } },
    "make second",
  );
  const other = (await waitForQuestions(bench, 2)).find(({ agent }) => agent !== own?.agent);
  const { id = "", agent = "" } = other ?? {};
  await bench.call("POST", "/api/notes", {
    text: "The connection pool holds ten clients.",
    project: bench.env.HOME,
  });
  const rookery = join(bench.home.app, "current", "plugin", "bin", "rookery");
  const commands: Record<string, string[]> = {
    help: ["help"],
    "completion bash": ["completion", "bash"],
    "completion values agents": ["completion", "values", "agents"],
    search: ["search", "connection", "pool"],
    send: ["send", "--to", agent, "A message of the bench."],
    answer: ["answer", id, "--allow"],
  };
  const keys = Object.keys(commands);
  // `answer` counts once, and not at all if the bench runs under an agent: it takes the same time when it is refused.
  const isAllowedToFail = 'code=0; "$@" || code=$?; [ "$2" = answer ] || exit $code';
  keys.forEach((name, n) =>
    bench.stopwatch.know(`cli-${n}`, ["sh", "-c", isAllowedToFail, "sh", rookery, ...(commands[name] ?? [])]),
  );
  for (const n of keys.keys()) await bench.stopwatch.time(`cli-${n}`); // Warm-up: compiles and caches.
  const samples = new Samples();
  for (let round = 0; round < rounds; round++) {
    samples.add(emptyNode, (await bench.stopwatch.time("empty-node")).ms);
    for (const [n, name] of keys.entries()) samples.add(name, (await bench.stopwatch.time(`cli-${n}`)).ms);
  }
  for (const child of [first, second, host]) await endChild(child);
  await bench.stop();
  return report(samples);
}

async function waitForQuestions(bench: BenchHome, count: number): Promise<{ id: string; agent: string }[]> {
  type Listed = { questions: { id: string; agent: string }[] };
  return waitFor(async () => {
    const { questions } = await bench.call<Listed>("GET", "/api/questions?state=open");
    return questions.length === count && questions;
  });
}

function report(samples: Samples): Section {
  const node = p50(samples.of(emptyNode));
  const rows = samples.names().map((name) => {
    const values = samples.of(name);
    return { name, median: p50(values), worst: p95(values), ratio: p50(values) / node };
  });
  return {
    title: `Commands (${rounds} interleaved rounds, ms)`,
    columns: ["", "p50", "p95", "× node"],
    rows: rows.map(({ name, median, worst, ratio }) => [name, median, worst, ratio]),
    bars: rows
      .filter(({ name }) => name !== emptyNode)
      .map(({ name, median }) => ({
        name: `rookery ${name}, p50`,
        measured: median,
        unit: "ms",
        limit: { atMost: Math.round(maxMs * Math.max(1, node / referenceMs)) },
      })),
  };
}
