import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Call, FakeBell, Peer } from "../support/fake-bell.ts";
import {
  expectHook,
  listSpool,
  makeShellSetup,
  openHookStage,
  type RunningHook,
  shellRunners,
} from "../support/hook-runner.ts";
import { descendantsOf, hasDetachedChild, waitFor } from "../support/processes.ts";

const stage = openHookStage();
const decision = `{"decision":"it's" 🐦 \\n %s $(id) * .}`;

interface Asked {
  hook: RunningHook;
  claude: { pid: number; kill(signal: NodeJS.Signals): void };
}

// These tests mostly wait, so many can run at once.
describe.concurrent.each(shellRunners)("a waiting permission hook: $name", (runner) => {
  function prepareHome(): string {
    const home = stage.newHome();
    for (const folder of ["spool", "reply", "run"]) mkdirSync(join(home, folder), { recursive: true });
    return home;
  }

  function ask(home: string, env: Record<string, string> = {}): Asked {
    const claude = stage.spawnStandIn();
    const hook = stage.start(runner, "hooks/hook.sh", ["PermissionRequest"], {
      home,
      env: { CLAUDE_PID: String(claude.pid), ...env },
    });
    hook.stdin.end("{}");
    return { hook, claude };
  }

  /** Accepts the event and answers `wait`, as the daemon does; `then` handles the connection that waits. */
  function sayWait(home: string, then: (name: string, call: Call) => void): Peer {
    return {
      onLine(name, call) {
        if (!name.startsWith("PermissionRequest.")) return then(name, call);
        rmSync(join(home, "spool", name));
        call.socket.end("wait\n");
      },
    };
  }

  function holdAll(home: string): { peer: Peer; waiting: ((text: string, pauseMs?: number) => void)[] } {
    const waiting: ((text: string, pauseMs?: number) => void)[] = [];
    const peer = sayWait(home, (name, { socket }) => {
      rmSync(join(home, "spool", name));
      waiting.push((text, pauseMs = 0) => {
        if (text) writeFileSync(join(home, "reply", name.replace("PermissionWait.", "")), text);
        const ring = `${Buffer.byteLength(text)}\n`;
        socket.write(ring.slice(0, 1));
        setTimeout(() => socket.end(ring.slice(1)), pauseMs);
      });
    });
    return { peer, waiting };
  }

  async function hang(home: string, peer: Peer): Promise<FakeBell> {
    const bell = await stage.openBell(home, peer);
    bell.announce();
    return bell;
  }

  test.each([
    ["a decision is printed whole", decision, decision],
    ["no decision", "", ""],
  ])("%s", async (_, text, printed) => {
    const home = prepareHome();
    const { peer, waiting } = holdAll(home);
    const bell = await hang(home, peer);
    const { hook } = ask(home, { SHELLOPTS: "braceexpand:errexit:hashall:nounset" });
    await waitFor(() => waiting.length === 1);
    expect(bell.calls).toHaveLength(2);
    expect(await descendantsOf(hook.pid)).toEqual([]); // One sleeping shell.
    waiting[0]?.(text);
    expectHook(await hook.done, printed);
    expect(listSpool(home)).toEqual([]);
  });

  test.runIf(runner.prelude === "")(
    "BASH_ENV and exported functions of the user change nothing",
    async () => {
      const home = prepareHome();
      const { peer, waiting } = holdAll(home);
      await hang(home, peer);
      const { hook } = ask(home, makeShellSetup(stage.root));
      await waitFor(() => waiting.length === 1);
      waiting[0]?.(decision);
      expectHook(await hook.done, decision);
    },
  );

  test("keeps waiting while nothing happens", async () => {
    const home = prepareHome();
    const { peer, waiting } = holdAll(home);
    const bell = await hang(home, peer);
    const { hook } = ask(home);
    await waitFor(() => waiting.length === 1);
    setTimeout(() => waiting[0]?.(decision), 3_500); // Longer than the interval of checking for claude.
    expectHook(await hook.done, decision);
    expect(bell.calls).toHaveLength(2);
  });

  test("the bell's line may arrive in pieces, with a check for claude between them", async () => {
    const home = prepareHome();
    const { peer, waiting } = holdAll(home);
    await hang(home, peer);
    const { hook } = ask(home);
    await waitFor(() => waiting.length === 1);
    waiting[0]?.(decision, 3_500);
    expectHook(await hook.done, decision);
  });

  test("a stranger that says wait without taking the file is not waited for", async () => {
    const home = prepareHome();
    await hang(home, { onLine: (_, { socket }) => socket.end("wait\n") });
    expectHook(await ask(home).hook.done);
    expect(listSpool(home)).toMatchObject([{ event: "PermissionRequest" }]);
  });

  test("a stranger that takes over the port is ignored, and the daemon is found on its new port", async () => {
    const home = prepareHome();
    const stranger = await hang(
      home,
      sayWait(home, (_, { socket }) => socket.end("12\n")),
    );
    const { hook } = ask(home);
    await waitFor(() => stranger.calls.length >= 2);
    const { peer, waiting } = holdAll(home);
    await hang(home, peer);
    await waitFor(() => waiting.length === 1);
    waiting[0]?.(decision);
    expectHook(await hook.done, decision);
    expect(listSpool(home)).toEqual([]);
  });

  test("the daemon restarts on another port", async () => {
    const home = prepareHome();
    const first = holdAll(home);
    const bell = await hang(home, first.peer);
    const { hook } = ask(home);
    await waitFor(() => first.waiting.length === 1);
    await bell.close();
    const { peer, waiting } = holdAll(home);
    await hang(home, peer);
    await waitFor(() => waiting.length === 1);
    waiting[0]?.(decision);
    expectHook(await hook.done, decision);
  });

  test.each([
    ["while it waits", true],
    ["while there is no daemon", false],
  ])("claude is killed %s: it exits silently", async (_, hasDaemon) => {
    const home = prepareHome();
    const { peer, waiting } = holdAll(home);
    const bell = await hang(home, peer);
    const { hook, claude } = ask(home);
    await waitFor(() => waiting.length === 1);
    if (!hasDaemon) await bell.close();
    claude.kill("SIGKILL");
    expectHook(await hook.done);
    expect(listSpool(home)).toEqual([]);
  });

  test.each([
    ["while it waits", true],
    ["while there is no daemon", false],
  ])("SIGTERM %s: it reports the cancellation, and nothing else", async (_, hasDaemon) => {
    const home = prepareHome();
    const { peer, waiting } = holdAll(home);
    const bell = await hang(home, peer);
    const { hook } = ask(home);
    await waitFor(() => waiting.length === 1);
    if (!hasDaemon) {
      await bell.close();
      await waitFor(() => hasDetachedChild(hook.pid), { describe: "a child without our pipe" });
    }
    hook.child.kill("SIGTERM");
    expectHook(await hook.done);
    expect(listSpool(home)).toMatchObject([{ event: "PermissionDismissed", content: "" }]);
  });
});
