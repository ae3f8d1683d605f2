import { existsSync } from "node:fs";
import { signalProcess, waitFor } from "../support/processes.ts";
import { emptyBash, emptyNode, knowHooks } from "./hook-commands.ts";
import { p50, p95, Samples } from "./measure.ts";
import { makePayload, makeSessionId } from "./payloads.ts";
import type { Section } from "./report.ts";
import type { BenchHome, Stage } from "./stage.ts";

const coldRuns = 5;
const silentRounds = 80;
const wedges = 3;
const wedgedRounds = 25;

/** The hooks without a working daemon: none started, one that died, one that hangs. */
export async function benchHooksAlone(stage: Stage): Promise<Section> {
  const bench = stage.openHome("alone");
  knowHooks(bench.stopwatch, stage.plugin);
  const hooks = new HookCounter(bench);
  await bench.startDirectly();
  await hooks.time("SessionStart");

  const cold = new Samples();
  for (let run = 0; run < coldRuns; run++) {
    await bench.stop();
    cold.add(emptyNode, (await bench.stopwatch.time("empty-node")).ms);
    cold.add("cold", await hooks.time("SessionStart"));
    bench.pid(); // Throws if no daemon was started.
  }

  await bench.stop();
  const stopped = await alternate(hooks, silentRounds);
  await bench.startDirectly();
  await bench.drained();
  await bench.stop("SIGKILL");
  const killed = await alternate(hooks, silentRounds);
  await bench.startDirectly();
  await bench.drained();

  const wedged = new Samples();
  for (let run = 0; run < wedges; run++) await wedge(hooks, wedged);
  await bench.drained();
  const missing = hooks.count - bench.count();
  if (missing !== 0) throw new Error(`${missing} events of hooks without a daemon were lost`);
  await bench.stop();

  const ratio = (samples: Samples, name: string): number =>
    p50(samples.of(name)) / p50(samples.of(emptyBash));
  const show = (title: string, samples: Samples): (string | number)[][] =>
    samples
      .names()
      .map((name) => [
        `${title}: ${name}`,
        p50(samples.of(name)),
        p95(samples.of(name)),
        samples.of(emptyBash).length > 0 ? ratio(samples, name) : "–",
      ]);
  const worstFirst = Math.max(...wedged.of("first prompt"));
  const three = { atMost: 3 };
  return {
    title: "Hooks without a daemon (ms)",
    columns: ["", "p50", "p95", "× bash"],
    rows: [
      ["no daemon: SessionStart starts one", p50(cold.of("cold")), p95(cold.of("cold")), undefined],
      [`no daemon: ${emptyNode}`, p50(cold.of(emptyNode)), p95(cold.of(emptyNode)), undefined],
      ...show("stopped", stopped),
      ...show("killed -9", killed),
      ...show("wedged", wedged),
    ],
    notes: [`${hooks.count} hooks ran here and as many events are stored.`],
    bars: [
      {
        name: "SessionStart cold, slowest of 5",
        measured: p95(cold.of("cold")),
        unit: "ms",
        limit: { atMost: 1200 },
      },
      {
        name: "nobody listening (stopped), PostToolUse p50, of an empty bash",
        measured: ratio(stopped, "PostToolUse"),
        unit: "×",
        limit: three,
      },
      {
        name: "nobody listening (stopped), prompt p50, of an empty bash",
        measured: ratio(stopped, "UserPromptSubmit"),
        unit: "×",
        limit: three,
      },
      {
        name: "nobody listening (killed -9), PostToolUse p50, of an empty bash",
        measured: ratio(killed, "PostToolUse"),
        unit: "×",
        limit: three,
      },
      {
        name: "nobody listening (killed -9), prompt p50, of an empty bash",
        measured: ratio(killed, "UserPromptSubmit"),
        unit: "×",
        limit: three,
      },
      {
        name: "wedged daemon, first prompt, slowest of 3",
        measured: worstFirst,
        unit: "ms",
        limit: { atMost: 1100 },
      },
      {
        name: "wedged daemon, then PostToolUse p50, of an empty bash",
        measured: ratio(wedged, "PostToolUse"),
        unit: "×",
        limit: three,
      },
      {
        name: "wedged daemon, then prompt p50, of an empty bash",
        measured: ratio(wedged, "UserPromptSubmit"),
        unit: "×",
        limit: three,
      },
    ],
  };
}

/** Runs hooks of one session and counts the events that must be stored in the end. */
class HookCounter {
  readonly #bench: BenchHome;
  readonly #sessionId = makeSessionId();
  count = 0;

  constructor(bench: BenchHome) {
    this.#bench = bench;
  }

  get bench(): BenchHome {
    return this.#bench;
  }

  async time(event: string): Promise<number> {
    this.count++;
    const payload = makePayload(event, this.#sessionId, this.#bench.env.HOME as string);
    return (await this.#bench.stopwatch.time(event, payload)).ms;
  }
}

async function alternate(hooks: HookCounter, rounds: number, samples = new Samples()): Promise<Samples> {
  for (let round = 0; round < rounds; round++) {
    for (const event of ["PostToolUse", "UserPromptSubmit"]) {
      samples.add(emptyBash, (await hooks.bench.stopwatch.time("empty-bash")).ms);
      samples.add(event, await hooks.time(event));
    }
  }
  return samples;
}

/** Suspends the daemon: only the first prompt waits for the timeout. */
async function wedge(hooks: HookCounter, samples: Samples): Promise<void> {
  const { home } = hooks.bench;
  const pid = hooks.bench.pid();
  signalProcess(pid, "SIGSTOP");
  try {
    samples.add("first prompt", await hooks.time("UserPromptSubmit"));
    if (!existsSync(home.breaker)) throw new Error("the first prompt did not trip the breaker");
    await alternate(hooks, wedgedRounds, samples);
  } finally {
    signalProcess(pid, "SIGCONT");
  }
  await waitFor(() => !existsSync(home.breaker), { describe: "the breaker to be removed" });
}
