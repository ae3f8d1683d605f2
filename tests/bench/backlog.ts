import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { emptyBash, knowHooks } from "./hook-commands.ts";
import { p50, p95, Samples } from "./measure.ts";
import { makePayload, makeSessionId, makeToolResult } from "./payloads.ts";
import type { Section } from "./report.ts";
import type { BenchHome, Stage } from "./stage.ts";

const files = 10_000;
const filesPerSession = 500;
const everyMs = 100;
const samplesWithout = 40;

/** Starts the daemon with ten thousand spooled events while a session keeps working. */
export async function benchBacklog(stage: Stage): Promise<Section> {
  const bench = stage.openHome("backlog");
  knowHooks(bench.stopwatch, stage.plugin);
  await bench.startDirectly();
  const sessionId = makeSessionId();
  const tool = (): string => makePayload("PostToolUse", sessionId, bench.env.HOME as string);
  await bench.stopwatch.time(
    "SessionStart",
    makePayload("SessionStart", sessionId, bench.env.HOME as string),
  );
  await bench.stop();
  leaveBacklog(bench);

  const during = new Samples();
  const startedAt = performance.now();
  let isDone = false;
  const hooks = runHooks(bench, tool, during, () => isDone);
  const readyMs = await bench.startDirectly();
  const ours = `session_id = '${sessionId}'`;
  const isStored = (): boolean => bench.count(`NOT ${ours}`) >= files;
  while (!isStored()) await pause(25);
  const takenMs = performance.now() - startedAt;
  isDone = true;
  await hooks;
  await bench.drained();
  const hooksRun = during.of("PostToolUse").length + 1;
  if (bench.count(ours) !== hooksRun || bench.count() !== files + hooksRun)
    throw new Error(`of ${files} + ${hooksRun} events ${bench.count()} are stored`);

  const without = new Samples();
  await runHooks(bench, tool, without, () => without.of("PostToolUse").length >= samplesWithout);
  await bench.stop();

  const describe = (title: string, samples: Samples): (string | number)[][] =>
    ["PostToolUse", emptyBash].map((name) => {
      const values = samples.of(name);
      return [`${title}: ${name}`, values.length, p50(values), p95(values), Math.max(...values)];
    });
  const relative = (samples: Samples): number => p50(samples.of("PostToolUse")) / p50(samples.of(emptyBash));
  return {
    title: `A backlog of ${files} files, one hook every ${everyMs} ms meanwhile (ms)`,
    columns: ["", "n", "p50", "p95", "worst"],
    rows: [...describe("during", during), ...describe("after", without)],
    notes: [
      `All rows there ${Math.round(takenMs)} ms after the spawn; /health answered after ${Math.round(readyMs)} ms.`,
    ],
    bars: [
      {
        name: `${files} spooled files, spawn to all stored`,
        measured: takenMs / 1000,
        unit: "s",
        limit: { atMost: 10 },
      },
      // The hook waits at most 500 ms; a person does not notice less than 100 ms.
      {
        name: "PostToolUse p95 meanwhile",
        measured: p95(during.of("PostToolUse")),
        unit: "ms",
        limit: { atMost: 100 },
      },
      { name: "PostToolUse p50 meanwhile, of an empty bash", measured: relative(during), unit: "×" },
      { name: "PostToolUse p50 afterwards, of an empty bash", measured: relative(without), unit: "×" },
    ],
  };
}

/** The events of a session: prompt, tool calls before and after, stop. */
function leaveBacklog({ home, env }: BenchHome): void {
  const cwd = env.HOME as string;
  const beganAt = Date.now() - 3_600_000;
  let sessionId = "";
  for (let index = 0; index < files; index++) {
    const step = index % filesPerSession;
    if (step === 0) sessionId = makeSessionId();
    const event = eventAt(step);
    const payload =
      event === "PostToolUse" ? makeToolResult(2048, sessionId, cwd) : makePayload(event, sessionId, cwd);
    const name = `${event}.${(beganAt + index * 10) * 1000}.${process.pid}.${index}`;
    writeFileSync(join(home.spool, name), `${env.CLAUDE_PID}\n${payload}`, { mode: 0o600 });
  }
}

function eventAt(step: number): string {
  if (step === 0) return "SessionStart";
  if (step === filesPerSession - 1) return "SessionEnd";
  const inTurn = step % 20;
  if (inTurn === 1) return "UserPromptSubmit";
  if (inTurn === 0) return "Stop";
  return inTurn % 2 === 0 ? "PreToolUse" : "PostToolUse";
}

async function runHooks(
  { stopwatch }: BenchHome,
  makeToolPayload: () => string,
  samples: Samples,
  isDone: () => boolean,
): Promise<void> {
  for (let next = performance.now(); !isDone(); next += everyMs) {
    await pause(Math.max(0, next - performance.now()));
    samples.add("PostToolUse", (await stopwatch.time("PostToolUse", makeToolPayload())).ms);
    samples.add(emptyBash, (await stopwatch.time("empty-bash")).ms);
  }
}
