import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answerLikeDaemon, type FakeBell, holdPrintf } from "../support/fake-bell.ts";
import { type Peer, resetBehindGate } from "../support/fake-bell.ts";
import {
  expectHook,
  listSpool,
  makeShellSetup,
  openHookStage,
  type RunningHook,
  shellRunners,
} from "../support/hook-runner.ts";
import { descendantsOf, hasDetachedChild, waitFor, waitUntilGone } from "../support/processes.ts";

const stage = openHookStage();
interface Monitored {
  monitor: RunningHook;
  claude: { pid: number; kill(signal: NodeJS.Signals): void };
}

const line = `Rookery: 1 message from "it's" 🐦 \\n %s $(id) * .`;

// These tests mostly wait, so many can run at once.
describe.concurrent.each(shellRunners)("the monitor that wakes a session: $name", (runner) => {
  function prepareHome(): string {
    const home = stage.newHome();
    for (const folder of ["spool", "reply", "run"]) mkdirSync(join(home, folder), { recursive: true });
    return home;
  }

  function startMonitor(home: string, more: Record<string, string> = {}, prelude = ""): Monitored {
    const claude = stage.spawnStandIn();
    const env = { CLAUDE_PID: String(claude.pid), CLAUDE_CODE_SESSION_ID: "session-1", ...more };
    return { monitor: stage.start(runner, "monitors/wake.sh", [], { home, env, prelude }), claude };
  }

  /** Takes the file as the daemon does; the test decides what to answer. */
  function answerLater(home: string): Peer & { waiting: (() => void)[]; taken: Buffer[] } {
    const daemon = answerLikeDaemon(home, { reply: `${line}\n` });
    const waiting: (() => void)[] = [];
    const taken: Buffer[] = [];
    const onLine: Peer["onLine"] = (name, call) => {
      const spooled = join(home, "spool", name);
      taken.push(Buffer.from(listSpool(home)[0]?.content ?? "", "latin1"));
      rmSync(spooled);
      waiting.push(() => {
        writeFileSync(spooled, "");
        daemon.onLine?.(name, call);
      });
    };
    return { onLine, waiting, taken };
  }

  async function hang(home: string, peer: Peer): Promise<FakeBell> {
    const bell = await stage.openBell(home, peer);
    bell.announce();
    return bell;
  }

  test("prints exactly the line, once per ring, and registers again", async () => {
    const home = prepareHome();
    const peer = answerLater(home);
    const bell = await hang(home, peer);
    const { monitor, claude } = startMonitor(home);
    const openFiles = (): number => readdirSync(`/proc/${monitor.pid}/fd`).length;
    await waitFor(() => peer.waiting.length === 1);
    const filesAtFirst = openFiles();
    for (const ring of [1, 2, 3]) {
      await waitFor(() => peer.waiting.length === ring);
      peer.waiting[ring - 1]?.();
      await waitFor(() => monitor.printed() === `${line}\n`.repeat(ring), { describe: monitor.printed });
    }
    await waitFor(() => peer.waiting.length === 4);
    expect(peer.taken.map(String)).toEqual(Array(4).fill(`${claude.pid}\n{"session_id":"session-1"}`));
    expect(bell.calls.map(({ text }) => /^Monitor\.\.\d+\.\d+\n$/.test(text))).toEqual(Array(4).fill(true));
    expect(openFiles()).toBe(filesAtFirst);
    expect(listSpool(home)).toEqual([]);
    monitor.child.kill("SIGTERM");
    expect((await monitor.done).stderr).toBe("");
  });

  test.runIf(runner.prelude === "")(
    "BASH_ENV and exported functions of the user change nothing",
    async () => {
      const home = prepareHome();
      const peer = answerLater(home);
      await hang(home, peer);
      const { monitor } = startMonitor(home, makeShellSetup(stage.root));
      await waitFor(() => peer.waiting.length === 1);
      peer.waiting[0]?.();
      await waitFor(() => peer.waiting.length === 2);
      monitor.child.kill("SIGTERM");
      expect(await monitor.done).toMatchObject({ stdout: `${line}\n`, stderr: "" });
    },
  );

  test("keeps its registration while nothing happens", async () => {
    const home = prepareHome();
    const peer = answerLater(home);
    // Longer than the interval of checking for claude.
    const bell = await hang(home, {
      onLine(name, call) {
        peer.onLine?.(name, call);
        if (peer.waiting.length === 1) setTimeout(() => peer.waiting[0]?.(), 3_500);
      },
    });
    const { monitor } = startMonitor(home);
    await waitFor(() => monitor.printed() !== "");
    expect(monitor.printed()).toBe(`${line}\n`);
    await waitFor(() => bell.calls.length > 1);
    expect((bell.calls[1]?.at ?? 0) - (bell.calls[0]?.at ?? 0)).toBeGreaterThan(3_400);
  });

  test.each(["500\n", "0\n", "wake up\n", ""])(
    "a stranger answering %j is not repeated, and not asked again at once",
    async (answer) => {
      const home = prepareHome();
      const bell = await hang(home, { onLine: (_, { socket }) => socket.end(answer) });
      const { monitor } = startMonitor(home);
      await waitFor(() => bell.calls.length === 2);
      const [first, second] = bell.calls;
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(1_500);
      expect(first?.text).toMatch(/^Monitor\.\.\d+\.\d+\n$/);
      await waitFor(() => listSpool(home).length === 0);
      monitor.child.kill("SIGTERM");
      expect(await monitor.done).toMatchObject({ stdout: "", stderr: "" });
    },
  );

  test("a silent stranger does not keep it from the daemon", async () => {
    const home = prepareHome();
    const stranger = await hang(home, {});
    const { monitor } = startMonitor(home);
    await waitFor(() => stranger.calls.length === 1);
    const peer = answerLater(home);
    await hang(home, peer);
    await waitFor(() => peer.waiting.length === 1);
    peer.waiting[0]?.();
    await waitFor(() => monitor.printed() === `${line}\n`);
    await waitFor(() => listSpool(home).length === 0);
  });

  test("a peer that has closed and reset the connection before it writes", async () => {
    const home = prepareHome();
    const gate = stage.newHome();
    const bell = await hang(home, resetBehindGate(gate));
    startMonitor(home, {}, holdPrintf("Monitor*", gate));
    await waitFor(() => bell.calls.length === 2);
  });

  test("the daemon restarts on another port", async () => {
    const home = prepareHome();
    const first = await hang(home, answerLater(home));
    // Strict shell options of the user must not end it.
    const { monitor } = startMonitor(home, { SHELLOPTS: "braceexpand:errexit:hashall:nounset" });
    await waitFor(() => first.calls.length === 1);
    await first.close();
    const peer = answerLater(home);
    const second = await hang(home, peer);
    expect(second.port).not.toBe(first.port);
    await waitFor(() => peer.waiting.length === 1);
    peer.waiting[0]?.();
    await waitFor(() => monitor.printed() === `${line}\n`);
    await waitFor(() => peer.waiting.length === 2); // It has registered again, and its file was read.
    expect(listSpool(home)).toEqual([]);
  });

  test.each([
    ["ends", "SIGTERM", true],
    ["is killed", "SIGKILL", true],
    ["is killed while there is no daemon", "SIGKILL", false],
  ] as const)("exits with its claude when that %s", async (_, signal, hasDaemon) => {
    const home = prepareHome();
    const bell = hasDaemon ? await hang(home, answerLater(home)) : undefined;
    const { monitor, claude } = startMonitor(home);
    if (bell) await waitFor(() => bell.calls.length === 1);
    else await waitFor(() => hasDetachedChild(monitor.pid), { describe: "a child without our pipe" });
    claude.kill(signal);
    await waitUntilGone([monitor.pid]);
    expectHook(await monitor.done);
    expect(listSpool(home)).toEqual([]);
  });

  test.each([
    ["waiting for the daemon's word", "daemon"],
    ["waiting for a stranger's", "stranger"],
    ["asleep", undefined],
  ] as const)("SIGTERM while %s leaves nothing behind", async (_, listener) => {
    const home = prepareHome();
    const bell = listener && (await hang(home, listener === "daemon" ? answerLater(home) : {}));
    const { monitor } = startMonitor(home);
    if (bell) await waitFor(() => bell.calls[0]?.text.endsWith("\n"));
    else await waitFor(() => hasDetachedChild(monitor.pid), { describe: "a child without our pipe" });
    const family = await descendantsOf(monitor.pid);
    monitor.child.kill("SIGTERM");
    // Over when nobody holds claude's pipe any longer.
    expect(await monitor.done).toMatchObject({ stdout: "", stderr: "" });
    await waitUntilGone(family.map(({ pid }) => pid));
    expect(listSpool(home)).toEqual([]);
  });

  test("ROOKERY_OFF ends it at once, and without a home it only waits", async () => {
    const off = stage.start(runner, "monitors/wake.sh", [], {
      home: stage.newHome(),
      env: { ROOKERY_OFF: "1" },
    });
    expectHook(await off.done);
    const { monitor, claude } = startMonitor(join(stage.root, "plugin/package.json/home"));
    await waitFor(async () => (await descendantsOf(monitor.pid)).length > 0);
    claude.kill("SIGKILL");
    expectHook(await monitor.done);
  });
});
