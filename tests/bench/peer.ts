import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { processesMentioning, signalProcess, waitUntilGone } from "../support/processes.ts";
import { knowHooks } from "./hook-commands.ts";
import { p50, p95, readRssMb, Samples } from "./measure.ts";
import { makePayload, makeSessionId } from "./payloads.ts";
import type { Section } from "./report.ts";
import type { Stage } from "./stage.ts";
import { openStopwatch, type Stopwatch } from "./stopwatch.ts";

/** The peer, the runtime that its hooks need, and the packages that it does not bundle. */
const packages = {
  "claude-mem": "13.25.3",
  "@oven/bun-linux-x64": "1.4.4",
  zod: "4.6.7",
  "shell-quote": "1.9.0",
};
const rounds = 15;
const events = ["SessionStart", "UserPromptSubmit", "PostToolUse", "Stop"] as const;

interface Peer {
  folder: string;
  plugin: string;
  /** Runs all hooks of an event, one after the other: the slowest counts, because hosts run them side by side. */
  run(event: string, payload: string): Promise<number>;
  close(): Promise<void>;
}

interface HooksFile {
  hooks: Record<string, { hooks: { command: string }[] }[]>;
}

/**
 * The hooks of claude-mem beside ours, in turn, each with its own home and its own background process. No account and no
 * model is within reach of either, and the peer's telemetry is off.
 */
export async function benchPeer(stage: Stage): Promise<Section> {
  if (process.platform !== "linux" || process.arch !== "x64")
    return { title: "Beside claude-mem: only on Linux x64", columns: [], rows: [], bars: [] };
  const peer = await openPeer();
  try {
    return await compare(stage, peer);
  } finally {
    await peer.close();
  }
}

async function compare(stage: Stage, peer: Peer): Promise<Section> {
  const ours = stage.openHome("peer");
  knowHooks(ours.stopwatch, stage.plugin);
  const cwd = ours.env.HOME as string;
  const ourStartMs = await ours.startDirectly();
  const peerStartMs = await peer.run("SessionStart", makePayload("SessionStart", makeSessionId(), cwd));
  const samples = new Samples();
  for (let round = 0; round < rounds; round++) {
    const sessionId = makeSessionId();
    for (const event of events) {
      const payload = makePayload(event, sessionId, cwd);
      samples.add(`ours ${event}`, (await ours.stopwatch.time(event, payload)).ms);
      samples.add(`peer ${event}`, await peer.run(event, payload));
    }
  }
  const rows: [name: string, ours: number, peer: number][] = [
    ...events.flatMap((event): [string, number, number][] => [
      [`${event} p50, ms`, p50(samples.of(`ours ${event}`)), p50(samples.of(`peer ${event}`))],
      [`${event} p95, ms`, p95(samples.of(`ours ${event}`)), p95(samples.of(`peer ${event}`))],
    ]),
    ["start of the background process, ms", ourStartMs, peerStartMs],
    ["memory of all its processes, MB", await sumMemory(ours.home.root), await sumMemory(peer.folder)],
  ];
  await ours.stop();
  return {
    title: `Beside claude-mem ${packages["claude-mem"]} (${rounds} interleaved rounds)`,
    columns: ["", "ours", "peer", "better"],
    rows: rows.map(([name, own, other]) => [name, own, other, own <= other ? "ours" : "peer"]),
    notes: describePeer(peer.plugin),
    bars: [],
  };
}

/** Strengths of the peer that no figure above shows, read from its package. */
function describePeer(plugin: string): string[] {
  const modes = readdirSync(join(plugin, "modes")).filter((name) => name.endsWith(".json"));
  const languages = modes.filter((name) => name.startsWith("code--")).length;
  const { dependencies } = JSON.parse(readFileSync(join(plugin, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const grammars = Object.keys(dependencies).filter((name) => /tree-sitter-(?!cli)/.test(name)).length;
  return [
    "The peer does better, by its package:",
    "- its notes are written by a language model on every tool use (ours only if you set one up)",
    `- ${modes.length} modes for other kinds of work, of which ${languages} are languages that its notes are written in`,
    `- code search over syntax trees, with ${grammars} grammars (ours searches memory only)`,
  ];
}

/** Unpacks the packages without installing their dependencies: the plugin is bundled. */
async function openPeer(): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), "rookery-bench-peer-"));
  for (const [name, version] of Object.entries(packages)) {
    const target = join(folder, "node_modules", name);
    mkdirSync(target, { recursive: true });
    const args = ["pack", `${name}@${version}`, "--silent", "--pack-destination", folder];
    const tarball = execFileSync("npm", args, { encoding: "utf8" }).trim();
    execFileSync("tar", ["xzf", join(folder, tarball), "-C", target, "--strip-components=1"]);
  }
  const [bin, home, work] = [join(folder, "bin"), join(folder, "home"), join(folder, "work")];
  for (const made of [bin, home, work]) mkdirSync(made);
  symlinkSync(join(folder, "node_modules", "@oven", "bun-linux-x64", "bin", "bun"), join(bin, "bun"));
  const plugin = join(folder, "node_modules", "claude-mem", "plugin");
  const stopwatch = openStopwatch(work, {
    HOME: home,
    LANG: "C.UTF-8",
    CLAUDE_PLUGIN_ROOT: plugin,
    DO_NOT_TRACK: "1",
    CLAUDE_MEM_TELEMETRY: "0",
    CLAUDE_MEM_WORKER_PORT: String(await findPort()),
    PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
  });
  const known = knowPeer(stopwatch, plugin, work);
  return {
    folder,
    plugin,
    async run(event, payload) {
      const times: number[] = [];
      for (const key of known(event)) times.push((await stopwatch.time(key, payload)).ms);
      return Math.max(...times);
    },
    async close() {
      stopwatch.close();
      const left = (await processesMentioning(folder)).map(({ pid }) => pid);
      for (const pid of left) signalProcess(pid, "SIGKILL");
      await waitUntilGone(left);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Registers the commands of the peer's hooks as its host would run them. */
function knowPeer(stopwatch: Stopwatch, plugin: string, work: string): (event: string) => string[] {
  const { hooks } = JSON.parse(readFileSync(join(plugin, "hooks", "hooks.json"), "utf8")) as HooksFile;
  const keysOf = (event: string): string[] =>
    (hooks[event] ?? []).flatMap((matcher) => matcher.hooks).map((_, index) => `${event}-${index}`);
  for (const event of events)
    for (const [index, { command }] of (hooks[event] ?? []).flatMap((one) => one.hooks).entries()) {
      const script = join(work, `${event}-${index}.sh`);
      writeFileSync(script, command);
      stopwatch.know(`${event}-${index}`, ["bash", script]);
    }
  return keysOf;
}

async function sumMemory(folder: string): Promise<number> {
  const processes = await processesMentioning(folder);
  return processes.reduce((sum, { pid }) => sum + readRssMb(pid), 0);
}

function findPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
