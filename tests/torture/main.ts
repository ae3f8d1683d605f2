import { parseArgs } from "node:util";
import { describeProcesses, processesMentioning, signalProcess, waitFor } from "../support/processes.ts";
import { hasLocalSlack } from "../support/local-slack.ts";
import { openPersonOnSlack } from "../support/person-on-slack.ts";
import { disk, makeFaults } from "./faults.ts";
import { makeRandom } from "./seeded.ts";
import type { Totals } from "./truth.ts";
import { type HookTime, openWorld, runAll } from "./world.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    rounds: { type: "string", default: "20" },
    only: { type: "string" },
  },
});
/** Rejects on a signal or an error outside of the rounds, so that processes and mounts are removed anyway. */
const interrupted = Promise.withResolvers<never>();
interrupted.promise.catch(() => {}); // Read once the world is open.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => interrupted.reject(new Error(`interrupted by ${signal}`)));
process.on("uncaughtException", interrupted.reject);

const seed = Number(values.seed);
const rounds = Number(values.rounds);
const random = makeRandom(seed);
const totals: Totals = { events: 0, messages: 0, answers: 0, setAside: 0, refused: {}, lost: [], twice: [] };
const slack = hasLocalSlack ? await openPersonOnSlack() : undefined;
const faults = makeFaults(slack?.proxy);
const possible = Object.entries(faults).filter(
  ([name, { missing }]) => !missing && (!values.only || name === values.only),
);
for (const [name, { missing }] of Object.entries(faults))
  if (missing) console.log(`skipped: ${name} (${missing})`);

const world = await openWorld(random, totals, slack?.env ?? {}, disk).catch(async (error: unknown) => {
  await slack?.close();
  throw error;
});
const settleEvery = 10;
let trouble: unknown;
let round = 0;
try {
  await Promise.race([runRounds(), interrupted.promise]);
} catch (error) {
  trouble = error;
  console.log(world.complaints());
}
await runAll([world.close, () => slack?.close()]).catch((error: unknown) => (trouble ??= error));
const strays = await listStrays(world.rookery.folder);

report();
// A round that was interrupted would continue.
if (trouble) process.exit();

async function runRounds(): Promise<void> {
  for (; round < rounds; round++) {
    const [name, fault] = random.pick(possible);
    const startedAt = performance.now();
    if (fault.isFresh || round % settleEvery === settleEvery - 1) await world.settle();
    await world.underLoad(name, () => fault.run(world));
    console.log(
      `${String(round).padStart(3)} ${name.padEnd(26)} ${Math.round(performance.now() - startedAt)} ms`,
    );
  }
  await world.settle();
}

async function listStrays(folder: string): Promise<string> {
  const find = () => processesMentioning(folder);
  await waitFor(async () => (await find()).length === 0, { timeoutMs: 15_000 }).catch(() => undefined);
  const left = await find();
  for (const { pid } of left) signalProcess(pid, "SIGKILL");
  return describeProcesses(left);
}

function report(): void {
  const slow = world.hooks.filter(isOverCap);
  const worst = world.hooks.toSorted((a, b) => b.ms - a.ms).slice(0, 3);
  const { events, messages, answers, setAside, lost, twice } = totals;
  console.log(
    `seed ${seed}, ${round} of ${rounds} rounds: ${events} events, ${messages} messages, ${answers} answers, ${world.hooks.length} hooks`,
  );
  if (setAside > 0)
    console.log(`${setAside} events, messages and answers only in a database that was set aside as damaged`);
  console.log(`messages that were not accepted, by status: ${JSON.stringify(totals.refused)}`);
  console.log(`slowest hooks: ${worst.map(describeHook).join("; ")}`);
  console.log(
    `lost: ${lost.length}, twice: ${twice.length}, over the cap: ${slow.length}, stray processes: ${strays ? strays.split("\n").length : 0}`,
  );
  for (const line of [...lost, ...twice, ...slow.map(describeHook), ...(strays ? [strays] : [])].slice(0, 30))
    console.log(`  ${line}`);
  if (trouble) console.log(trouble);
  process.exitCode = trouble || lost.length + twice.length + slow.length > 0 || strays ? 1 : 0;
}

/** The cap of the script, and twice what a plain shell took at the same moment. */
function isOverCap({ event, ms, controlMs }: HookTime): boolean {
  const capMs = event === "PostToolUse" ? 500 : 1_000;
  return ms > capMs + 2 * controlMs + 250;
}

function describeHook({ event, ms, controlMs, during }: HookTime): string {
  return `${event} ${Math.round(ms)} ms (a plain shell ${Math.round(controlMs)} ms) during ${during}`;
}
