import { join } from "node:path";
import { openHookClient } from "../../src/host-plugin/hook-client.ts";
import { makeOpenCodeHooks } from "../../src/host-plugin/opencode.ts";
import type { PluginInput } from "../../src/host-plugin/opencode-api.ts";
import { p50, p95, Samples } from "./measure.ts";
import type { Section } from "./report.ts";
import type { Stage } from "./stage.ts";

const calls = 300;

/** The cost of OpenCode's plugin in the process of its host, with the daemon running: CPU, and the time until it returns. */
export async function benchHosts(stage: Stage): Promise<Section> {
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
  const plugin = makeOpenCodeHooks({ input, hooks, isInteractive: false });
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
