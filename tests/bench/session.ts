import { openClaudeWorld } from "../support/claude.ts";
import { openWorld } from "../support/world.ts";
import { p50, p95, Samples } from "./measure.ts";
import type { Section } from "./report.ts";

const rounds = 9;
const maxSlowerMs = 100;

const starts = {
  headless: "claude -p until its first request",
  terminal: "claude until its prompt",
} as const;
type Way = keyof typeof starts;
type Claude = Pick<Awaited<ReturnType<typeof openClaudeWorld>>, "run" | "interactive" | "model">;

/** The start of a session in the real Claude Code with a scripted model, with and without the plugin by turns. */
export async function benchSession(): Promise<Section> {
  const without = await openClaudeWorld();
  const withPlugin = await openWorld();
  const samples = new Samples();
  const name = (way: Way, isWith: boolean): string => `${starts[way]}, ${isWith ? "with" : "without"}`;
  try {
    await withPlugin.rookery.start();
    for (let round = -1; round < rounds; round++)
      // The one that starts first changes with every round.
      for (const way of ["headless", "terminal"] as const)
        for (const isWith of round % 2 === 0 ? [true, false] : [false, true]) {
          const ms = await measure[way](isWith ? withPlugin : without);
          if (round >= 0) samples.add(name(way, isWith), ms); // The first round fills caches.
        }
  } finally {
    await without.close();
    await withPlugin.close();
  }
  const compared = (Object.keys(starts) as Way[]).map((way) => {
    const [plain, ours] = [p50(samples.of(name(way, false))), p50(samples.of(name(way, true)))];
    return { way, slowerMs: ours - plain, ratio: ours / plain };
  });
  return {
    title: `Start of a session in Claude Code (${rounds} interleaved rounds, ms)`,
    columns: ["", "p50", "p95"],
    rows: samples.names().map((each) => [each, p50(samples.of(each)), p95(samples.of(each))]),
    notes: compared.map(
      ({ way, slowerMs, ratio }) =>
        `${starts[way]}: ${Math.round(slowerMs)} ms slower with the plugin (× ${ratio.toFixed(3)}).`,
    ),
    bars: compared.map(({ way, slowerMs }) => ({
      name: `${starts[way]}, slower with the plugin`,
      measured: slowerMs,
      unit: "ms",
      limit: { atMost: maxSlowerMs },
    })),
  };
}

const measure: Record<Way, (claude: Claude) => Promise<number>> = {
  async headless(claude) {
    const count = claude.model.requests.length;
    const startedAt = Date.now();
    await claude.run("hello");
    return (claude.model.requests[count]?.at ?? Number.NaN) - startedAt;
  },
  async terminal(claude) {
    const startedAt = performance.now();
    const terminal = await claude.interactive();
    const ms = performance.now() - startedAt;
    await terminal.close();
    return ms;
  },
};
