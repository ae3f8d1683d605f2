import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { descendantsOf, waitFor } from "../support/processes.ts";
import { openOutside, type Outside } from "../support/outside.ts";
import { p50, p95, readCpuMs, readRssMb } from "./measure.ts";
import { makeSessionId } from "./payloads.ts";
import type { Section } from "./report.ts";
import type { BenchHome, Stage } from "./stage.ts";

const rounds = 40;
const many = 200;
const wave = 20;
const idleMs = 10_000;

interface Open {
  hook: ChildProcess;
  id: string;
  /** From the start of the hook until its question is visible. */
  shownMs: number;
}

/** Measures an open question: time until it is visible, time until its dialog closes after the answer, and its cost in between. */
export async function benchAsk(stage: Stage): Promise<Section> {
  const person = await openOutside();
  try {
    return await measure(stage, person);
  } finally {
    await person.close();
  }
}

async function measure(stage: Stage, person: Outside): Promise<Section> {
  const bench = stage.openHome("ask", { ask: { always: true } });
  await bench.startDirectly();
  await closeOne(person, bench, await openOne(stage, bench, 0)); // Warm-up.
  const shown: number[] = [];
  const closed: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const open = await openOne(stage, bench, round);
    shown.push(open.shownMs);
    closed.push(await closeOne(person, bench, open));
  }

  const quiet = await measureIdle(bench, []);
  const one = await openOne(stage, bench, rounds + 1);
  const withOne = await measureIdle(bench, [one.hook]);
  await closeOne(person, bench, one);
  const all = await openMany(stage, bench);
  const withMany = await measureIdle(bench, all);
  const released = performance.now();
  await Promise.all([
    ...all.map((hook) => once(hook, "close")),
    ...(await listOpen(bench)).map(({ id }) => answer(person, bench, id)),
  ]);
  const releaseMs = performance.now() - released;
  await bench.stop();

  return {
    title: `A question open for an answer from elsewhere (${rounds} rounds, ms)`,
    columns: ["", "p50", "p95"],
    rows: [
      ["hook started → question can be seen", p50(shown), p95(shown)],
      ["answer → dialog closed (hook gone)", p50(closed), p95(closed)],
    ],
    notes: [
      `Daemon, CPU a second: ${quiet.daemonCpu.toFixed(1)} ms with none open, ${withOne.daemonCpu.toFixed(1)} with one, ${withMany.daemonCpu.toFixed(1)} with ${many}.`,
      `Daemon, RSS: ${quiet.daemonMb.toFixed(1)} MB, ${withOne.daemonMb.toFixed(1)} with one, ${withMany.daemonMb.toFixed(1)} with ${many}.`,
      `${many} answered at once: the last hook is gone after ${Math.round(releaseMs)} ms.`,
    ],
    bars: [
      { name: "answer → dialog closed, p95", measured: p95(closed), unit: "ms", limit: { atMost: 300 } },
      { name: "one waiting hook, RSS", measured: withOne.hookMb, unit: "MB", limit: { atMost: 5 } },
      { name: "one waiting hook, CPU a second", measured: withOne.hookCpu, unit: "ms", limit: { atMost: 1 } },
      {
        name: `${many} open, daemon's CPU a second`,
        measured: withMany.daemonCpu - quiet.daemonCpu,
        unit: "ms",
        limit: { atMost: 20 },
      },
      {
        name: `${many} open, daemon's RSS for each`,
        measured: Math.max(0, withMany.daemonMb - quiet.daemonMb) / many,
        unit: "MB",
        limit: { atMost: 0.2 },
      },
    ],
  };
}

export function startHook(stage: Stage, bench: BenchHome, command: string): ChildProcess {
  const hook = stage.run(join(stage.plugin, "hooks", "hook.sh"), ["PermissionRequest"], bench.env);
  const payload = {
    session_id: makeSessionId(),
    cwd: bench.env.HOME,
    hook_event_name: "PermissionRequest",
    tool_name: "Bash",
    tool_input: { command, description: "bench" },
  };
  hook.stdin?.end(JSON.stringify(payload));
  hook.stdout?.resume();
  return hook;
}

async function listOpen(bench: BenchHome): Promise<{ id: string; subject: { text: string } }[]> {
  type Listed = { questions: { id: string; subject: { text: string } }[] };
  return (await bench.call<Listed>("GET", "/api/questions?state=open&limit=1000")).questions;
}

async function waitingHooks(bench: BenchHome): Promise<number> {
  return (await bench.call<{ waiting: number }>("GET", "/api/status")).waiting;
}

async function openOne(stage: Stage, bench: BenchHome, round: number): Promise<Open> {
  const startedAt = performance.now();
  const hook = startHook(stage, bench, `make target-${round}`);
  const [question] = await waitFor(
    async () => {
      const open = await listOpen(bench);
      return open.length === 1 && open;
    },
    { intervalMs: 1 },
  );
  const shownMs = performance.now() - startedAt;
  await waitFor(async () => (await waitingHooks(bench)) === 1, { intervalMs: 1 });
  return { hook, id: question?.id ?? "", shownMs };
}

/** Through the viewer's API, because only a person may answer. */
async function answer(person: Outside, bench: BenchHome, id: string): Promise<void> {
  const { status, text } = await person.call(bench, "POST", `/api/questions/${id}/answer`, { allow: "once" });
  if (status !== 200) throw new Error(`not taken: ${status} ${text}`);
}

async function closeOne(person: Outside, bench: BenchHome, { hook, id }: Open): Promise<number> {
  const closed = once(hook, "close");
  const startedAt = performance.now();
  await Promise.all([answer(person, bench, id), closed]);
  return performance.now() - startedAt;
}

async function openMany(stage: Stage, bench: BenchHome): Promise<ChildProcess[]> {
  const hooks: ChildProcess[] = [];
  while (hooks.length < many) {
    // In batches: a loaded machine takes longer to start 200 shells than a hook waits for the bell.
    for (let n = 0; n < wave; n++) hooks.push(startHook(stage, bench, `make many-${hooks.length}`));
    await waitFor(async () => (await waitingHooks(bench)) === hooks.length, {
      timeoutMs: 20_000,
      describe: async () => `${hooks.length} waiting hooks, not ${await waitingHooks(bench)}`,
    });
  }
  return hooks;
}

async function measureIdle(
  bench: BenchHome,
  hooks: readonly ChildProcess[],
): Promise<{ daemonCpu: number; daemonMb: number; hookMb: number; hookCpu: number }> {
  const [first] = hooks;
  const hookPid = first?.pid;
  const before = readCpuMs(bench.pid()) ?? Number.NaN;
  const hookBefore = hookPid === undefined ? 0 : (readCpuMs(hookPid) ?? Number.NaN);
  await pause(idleMs);
  const perSecond = 1000 / idleMs;
  const family =
    hookPid === undefined ? [] : [hookPid, ...(await descendantsOf(hookPid)).map(({ pid }) => pid)];
  return {
    daemonCpu: ((readCpuMs(bench.pid()) ?? Number.NaN) - before) * perSecond,
    daemonMb: readRssMb(bench.pid()),
    hookMb: family.map(readRssMb).reduce((sum, mb) => sum + mb, 0),
    hookCpu: hookPid === undefined ? 0 : ((readCpuMs(hookPid) ?? Number.NaN) - hookBefore) * perSecond,
  };
}
