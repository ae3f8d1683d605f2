import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { descendantsOf, waitFor } from "../support/processes.ts";
import { makePayload } from "../support/rookery.ts";
import { readCpuMs, readRssMb } from "./measure.ts";
import type { Bar, Section } from "./report.ts";
import { type BenchHome, endChild, type Stage } from "./stage.ts";

/** A daemon that has just started still compiles code, collects garbage and starts the homeserver. */
const settleMs = 30_000;
const idleMs = 20_000;

/** Cost of the permanent processes while idle: the daemon, and an MCP server and a monitor for each session. */
export async function benchMemory(stage: Stage, loaded: BenchHome | undefined): Promise<Section> {
  const bench = stage.openHome("memory");
  const alone = stage.openHome("memory-alone", { matrix: { enabled: false } });
  await bench.startDirectly();
  await alone.startDirectly();
  await bench.call("POST", "/api/hooks/SessionStart", makePayload("SessionStart", { session_id: "idle" }));
  const mcp = await startMcp(stage, bench);
  const monitor = await startMonitor(stage, bench);
  await pause(settleMs);
  const idleCpu = await measureCpu(bench.pid());

  const bars: Bar[] = [
    { name: "daemon, idle", measured: readRssMb(bench.pid()), unit: "MB", limit: { atMost: 140 } },
    { name: "daemon, no homeserver", measured: readRssMb(alone.pid()), unit: "MB", limit: { atMost: 90 } },
    { name: "MCP server, not called", measured: await sumRssMb(mcp), unit: "MB", limit: { atMost: 5 } },
    { name: "monitor, waiting", measured: await sumRssMb(monitor), unit: "MB", limit: { atMost: 5 } },
  ];
  if (idleCpu !== undefined)
    bars.push({ name: "daemon, idle: CPU", measured: idleCpu, unit: "ms/s", limit: { atMost: 2 } });
  if (loaded)
    bars.push({
      name: "daemon, 10 s and more after the load",
      measured: readRssMb(loaded.pid()),
      unit: "MB",
    });
  await endChild(monitor);
  await endChild(mcp);
  await bench.stop();
  await alone.stop();
  return {
    title: "Permanent cost: resident memory, and CPU while idle (one live session)",
    columns: ["", "measured", ""],
    rows: bars.map(({ name, measured, unit }) => [name, measured, unit]),
    bars,
  };
}

/** In ms per second; undefined without /proc. */
async function measureCpu(pid: number): Promise<number | undefined> {
  const before = readCpuMs(pid);
  await pause(idleMs);
  const after = readCpuMs(pid);
  return before === undefined || after === undefined ? undefined : ((after - before) * 1000) / idleMs;
}

/** Sends the same requests as Claude Code: initialize, initialized, tools/list. */
async function startMcp(stage: Stage, bench: BenchHome): Promise<ChildProcess> {
  const child = stage.run("sh", [join(stage.plugin, "bin", "rookery"), "mcp"], bench.env);
  if (!child.stdin || !child.stdout) throw new Error("the MCP server has no pipes");
  const { stdin } = child;
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  async function ask(message: Record<string, unknown>): Promise<void> {
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const { value } = (await answers.next()) as { value?: string };
    if (!value?.includes('"result"')) throw new Error(`the MCP server answered ${value}`);
  }
  const clientInfo = { name: "bench", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: { roots: {}, elicitation: {} }, clientInfo };
  await ask({ id: 1, method: "initialize", params });
  stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await ask({ id: 2, method: "tools/list" });
  return child;
}

async function startMonitor(stage: Stage, bench: BenchHome): Promise<ChildProcess> {
  const env = { ...bench.env, CLAUDE_CODE_SESSION_ID: "bench" };
  const child = stage.run(join(stage.plugin, "monitors", "wake.sh"), [], env);
  const isWaiting = async (): Promise<boolean> =>
    (await bench.call<{ monitors: number }>("GET", "/api/status")).monitors === 1;
  await waitFor(isWaiting, { describe: "the monitor to wait on the bell" });
  return child;
}

/** Including its child processes. */
async function sumRssMb({ pid = 0 }: ChildProcess): Promise<number> {
  const all = [pid, ...(await descendantsOf(pid)).map((child) => child.pid)];
  return all.map(readRssMb).reduce((sum, mb) => sum + mb, 0);
}
