import { emptyBash, emptyNode, knowHooks } from "./hook-commands.ts";
import { p50, p95, Samples } from "./measure.ts";
import { makePayload, makeSessionId, makeToolResult } from "./payloads.ts";
import type { Section } from "./report.ts";
import type { BenchHome, Stage } from "./stage.ts";

const rounds = 100;
const cpuRuns = 20;
const largeBytes = 300_000;
const large = "PostToolUse, 300 KB";
const withReply = "UserPromptSubmit, 9 KB reply";

/** Every hook with the daemon running, in the order of a session, between the two baselines. */
export async function benchHooks(stage: Stage): Promise<Section> {
  const bench = stage.openHome("hooks");
  const events = knowHooks(bench.stopwatch, stage.plugin);
  await bench.startDirectly();
  await runRound(bench, events, new Samples()); // Warm-up; the first session also gets a welcome text.
  const stored = bench.count();
  const samples = new Samples();
  for (let round = 0; round < rounds; round++) await runRound(bench, events, samples);
  const missing = stored + rounds * (events.length + 2) - bench.count();
  if (missing !== 0) throw new Error(`${missing} events of the hooks are not in the database`);
  const cpu = await measureCpu(bench, events);
  await bench.stop();

  const bash = p50(samples.of(emptyBash));
  const node = p50(samples.of(emptyNode));
  const tool = p50(samples.of("PostToolUse"));
  return {
    title: `Hooks with the daemon running (${rounds} interleaved rounds, ms)`,
    columns: ["", "p50", "p95", "CPU", "× bash", "× node"],
    rows: samples.names().map((name) => {
      const middle = p50(samples.of(name));
      return [name, middle, p95(samples.of(name)), cpu.get(name), middle / bash, middle / node];
    }),
    bars: [
      { name: "PostToolUse p50, of an empty bash", measured: tool / bash, unit: "×", limit: { atMost: 4 } },
      { name: "PostToolUse p50, of an empty node", measured: tool / node, unit: "×", limit: { atMost: 0.3 } },
      {
        name: "SessionStart p95, daemon running",
        measured: p95(samples.of("SessionStart")),
        unit: "ms",
        limit: { atMost: 50 },
      },
    ],
  };
}

async function runRound(bench: BenchHome, events: readonly string[], samples: Samples): Promise<void> {
  const { stopwatch, env } = bench;
  const cwd = env.HOME as string;
  const sessionId = makeSessionId();
  samples.add(emptyBash, (await stopwatch.time("empty-bash")).ms);
  samples.add(emptyNode, (await stopwatch.time("empty-node")).ms);
  for (const event of events) {
    // Show the baseline next to the values compared with it.
    if (event === "PostToolUse") samples.add(emptyBash, (await stopwatch.time("empty-bash")).ms);
    samples.add(event, (await stopwatch.time(event, makePayload(event, sessionId, cwd))).ms);
    if (event === "UserPromptSubmit") await runWithReply(bench, sessionId, samples);
    if (event === "PostToolUse")
      samples.add(large, (await stopwatch.time(event, makeToolResult(largeBytes, sessionId, cwd))).ms);
  }
}

async function runWithReply(bench: BenchHome, sessionId: string, samples: Samples): Promise<void> {
  const { agent } = await bench.call<{ agent: string }>("GET", `/api/sessions/${sessionId}`);
  const body = "The schema is merged; rebase before you go on. ".repeat(188);
  const delivery = { to: agent, body, hostPid: process.pid };
  const { id } = await bench.call<{ id: string }>("POST", "/api/deliveries", delivery);
  const payload = makePayload("UserPromptSubmit", sessionId, bench.env.HOME as string);
  const { ms, output } = await bench.stopwatch.time("UserPromptSubmit", payload);
  if (output.length < 9_000) throw new Error(`the reply has ${output.length} bytes: ${output.slice(0, 200)}`);
  samples.add(withReply, ms);
  await bench.call("POST", `/api/deliveries/${id}/ack`);
}

/** A separate pass: measuring CPU time needs many runs in a row. */
async function measureCpu(bench: BenchHome, events: readonly string[]): Promise<Map<string, number>> {
  const { stopwatch, env } = bench;
  const sessionId = makeSessionId();
  const repeat = (make: () => string): string[] => Array.from({ length: cpuRuns }, make);
  const none = repeat(() => "");
  const results = new Map([
    [emptyBash, await stopwatch.cpu("empty-bash", none)],
    [emptyNode, await stopwatch.cpu("empty-node", none)],
  ]);
  for (const event of events) {
    const payloads = repeat(() => makePayload(event, sessionId, env.HOME as string));
    results.set(event, await stopwatch.cpu(event, payloads));
  }
  const results300 = repeat(() => makeToolResult(largeBytes, sessionId, env.HOME as string));
  return results.set(large, await stopwatch.cpu("PostToolUse", results300));
}
