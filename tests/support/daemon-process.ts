import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { prepareHome } from "../../src/config/home.ts";
import { waitFor } from "./processes.ts";
import { plugin, type Rookery } from "./rookery.ts";

/** Starts the daemon as our child, without launcher and CLI. `before` is shell code to run first. */
export async function spawnDaemon(rookery: Rookery, before = ""): Promise<ChildProcess> {
  prepareHome(rookery.home);
  const node = rookery.env.ROOKERY_NODE ?? process.execPath;
  const script = `${before}\nexec "$0" --disable-warning=ExperimentalWarning "$1"`;
  const child = spawn("bash", ["-c", script, node, join(plugin, "dist", "daemon.js")], {
    cwd: rookery.home.root,
    env: rookery.env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said = `${said}${chunk.toString()}`.slice(-2_000)));
  const isAnswering = () =>
    rookery.call("GET", "/health").then(
      () => true,
      () => false,
    );
  await waitFor(isAnswering, {
    intervalMs: 10,
    describe: () => `the daemon to answer${describeEnd(child, said)}`,
  });
  return child;
}

function describeEnd({ exitCode, signalCode }: ChildProcess, said: string): string {
  if (exitCode === null && signalCode === null) return "; it runs";
  return `; it ended with ${exitCode ?? signalCode}: ${said}`;
}
