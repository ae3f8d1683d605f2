import { join } from "node:path";
import { openHookClient } from "../../src/host-plugin/hook-client.ts";
import type { PluginInput } from "../../src/hosts/opencode/plugin/api.ts";
import { openPlugin } from "../../src/hosts/opencode/plugin/plugin.ts";
import { hosts } from "../../src/hosts/hosts.ts";
import { samplesOf } from "../fixtures/hosts/samples.ts";
import { emptyBash, knowHooks } from "./hook-commands.ts";
import { p50, p95, Samples } from "./measure.ts";
import type { Section } from "./report.ts";
import type { Stage } from "./stage.ts";

const calls = 300;
const rounds = 100;

/** The hook of each other host beside Claude Code's: the same script, with payloads in the host's own format. */
export async function benchHostHooks(stage: Stage): Promise<Section> {
  const bench = stage.openHome("host-hooks");
  const { stopwatch } = bench;
  knowHooks(stopwatch, stage.plugin);
  await bench.startDirectly();
  const payloads = new Map(
    hosts
      .filter(({ name }) => name !== "opencode")
      .map(({ name, events }): [string, string] => {
        const event = events.nameOf("tool.after") ?? "";
        stopwatch.know(name, [join(stage.plugin, "hooks", "hook.sh"), event, name]);
        const sample = samplesOf(name).payloads.find((each) => each.name === event);
        return [name, JSON.stringify(sample?.payload)];
      }),
  );
  const samples = new Samples();
  for (let round = 0; round < rounds; round++) {
    samples.add(emptyBash, (await stopwatch.time("empty-bash")).ms);
    for (const [name, payload] of payloads) samples.add(name, (await stopwatch.time(name, payload)).ms);
  }
  await bench.stop();
  const bash = p50(samples.of(emptyBash));
  return {
    title: `The hook after a tool in each host (${rounds} interleaved rounds, ms)`,
    columns: ["", "p50", "p95", "× bash"],
    rows: samples.names().map((name) => {
      const of = samples.of(name);
      return [name, p50(of), p95(of), p50(of) / bash];
    }),
    bars: [...payloads.keys()].map((name) => ({
      name: `hook after a tool p50 in ${name}, of an empty bash`,
      measured: p50(samples.of(name)) / bash,
      unit: "×",
      limit: { atMost: 4 },
    })),
  };
}

/** The cost of OpenCode's plugin in the process of its host, with the daemon running: CPU, and the time until it returns. */
export async function benchOpenCode(stage: Stage): Promise<Section> {
  const bench = stage.openHome("hosts");
  await bench.startDirectly();
  const nothing = async (): Promise<object> => ({});
  const client = {
    _client: { post: nothing },
    session: { get: nothing, promptAsync: nothing },
    tui: { showToast: nothing },
  };
  const directory = bench.env.HOME as string;
  const hooks = openHookClient({
    host: "opencode",
    environment: bench.env,
    launcher: join(stage.plugin, "bin", "rookery"),
  });
  const input: PluginInput = { directory, client };
  const plugin = openPlugin(input, { hooks, args: ["run"], exit: () => {} });
  const sessionID = "ses_e1ed04b43ffeuCzZpFxX4wPEBq";
  await plugin["chat.message"]({ sessionID }, { message: { id: "msg_0" }, parts: [] });

  const samples = new Samples();
  const before = process.cpuUsage();
  for (let n = 0; n < calls; n++) {
    const call = { tool: "bash", sessionID, callID: `call_${n}` };
    const args = { command: "npm test", description: "test" };
    samples.add("tool.execute.before", await time(() => plugin["tool.execute.before"](call, { args })));
    const after = { ...call, args };
    const result = { output: "ok\n".repeat(500) };
    samples.add("tool.execute.after", await time(() => plugin["tool.execute.after"](after, result)));
  }
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1000 / (calls * 2);
  await plugin.dispose();
  await bench.stop();
  return {
    title: `OpenCode's plugin in its process (${calls} tool calls, ms)`,
    columns: ["", "p50", "p95"],
    rows: samples.names().map((name) => [name, p50(samples.of(name)), p95(samples.of(name))]),
    bars: [{ name: "OpenCode's plugin, CPU of a call", measured: cpuMs, unit: "ms", limit: { atMost: 1 } }],
  };
}

async function time(call: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await call();
  return performance.now() - start;
}
