import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Peer } from "../../src/http/peer.ts";
import { openStore, type Store } from "../../src/store/open-store.ts";
import { processStartMark } from "../../src/shared/processes.ts";
import {
  type CallerVerdict,
  findInode,
  makeCallerCheck,
  makePsReader,
  readLsof,
} from "../../src/daemon/ask/caller.ts";

const folder = mkdtempSync(join(tmpdir(), "rk-caller-"));
let server: Server;
let store: Store;
let check: (peer: Peer) => Promise<CallerVerdict>;
/** Everything that connects is judged while the connection stands, and told the verdict. */
let verdicts: ((verdict: CallerVerdict) => void)[];

async function judgeNext(peer: Peer): Promise<void> {
  const verdict = await check(peer);
  verdicts.shift()?.(verdict);
}

beforeAll(async () => {
  server = createServer((socket) => {
    const peer = { remotePort: socket.remotePort ?? 0, localPort: socket.localPort ?? 0 };
    socket.on("error", () => {});
    void judgeNext(peer).finally(() => socket.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  verdicts = [];
  store = openStore(":memory:", () => 0);
  check = makeCallerCheck(store).mayDecide;
});

const cleanEnv = { PATH: "/usr/bin:/bin" };
const connectScript = (): string =>
  `exec 3<>/dev/tcp/127.0.0.1/${(server.address() as { port: number }).port}; read -t 10 _ <&3`;

/** The verdict on a shell that connects, and whatever was started to get there. */
function judge(start: () => ChildProcess): Promise<CallerVerdict> {
  return new Promise((resolve) => {
    const child = start();
    verdicts.push((verdict) => {
      resolve(verdict);
      child.kill("SIGKILL");
    });
  });
}

const shell = (script: string, env: Record<string, string> = cleanEnv): ChildProcess =>
  spawn("bash", ["-c", script], { env, stdio: "ignore" });

/** Out of reach of whatever started these tests: it may be an agent. */
const outside = (script: string, env: Record<string, string> = cleanEnv): ChildProcess =>
  spawn("setsid", ["--fork", "bash", "-c", script], { env, stdio: "ignore" });

function knowClaude(pid: number): void {
  store.agents.insert({ id: "a", name: "x-rook", project: "x", projectName: "x", seat: 0, createdAt: 0 });
  store.sessions.insert({
    ...{ id: "s", agentId: "a", project: "x", cwd: null, transcriptPath: null, claudePid: pid },
    ...{
      pidStarted: processStartMark(pid),
      source: "startup",
      model: null,
      title: null,
      branch: null,
      status: "active",
    },
    ...{ statusAt: 0, endReason: null, startedAt: 0, lastEventAt: 0 },
  });
}

describe("who may decide", () => {
  test("a shell of the person", async () => {
    expect(await judge(() => outside(connectScript()))).toEqual({ may: true });
  });

  test("not a child of a claude that hooks told us of", async () => {
    const verdict = await judge(() => {
      // The shell in the middle is the claude; what connects is its grandchild.
      const claude = shell(`bash -c '${connectScript()}; :' ; :`);
      knowClaude(claude.pid ?? 0);
      return claude;
    });
    expect(verdict).toEqual({
      may: false,
      why: expect.stringMatching(/^process \d+ runs under Claude Code \(process \d+\)$/),
    });
  });

  test("not a child of anything named claude, known or not", async () => {
    const claude = join(folder, "claude");
    copyFileSync("/bin/bash", claude);
    const verdict = await judge(() =>
      spawn(claude, ["-c", `bash -c '${connectScript()}; :' ; :`], { env: cleanEnv, stdio: "ignore" }),
    );
    expect(verdict).toMatchObject({ may: false, why: expect.stringContaining("under Claude Code") });
  });

  test("not a process that left its claude but still carries its mark", async () => {
    const verdict = await judge(() => outside(connectScript(), { ...cleanEnv, CLAUDECODE: "1" }));
    expect(verdict).toMatchObject({ may: false, why: expect.stringContaining("was started by Claude Code") });
  });

  test("not whoever cannot be told: a unix socket, a connection that nobody holds", async () => {
    expect(await check(null)).toMatchObject({ may: false });
    expect(await check({ remotePort: 1, localPort: 2 })).toMatchObject({ may: false });
  });

  test("a system without the tools to tell refuses", async () => {
    const elsewhere = makeCallerCheck(store, "darwin").mayDecide;
    expect(await elsewhere({ remotePort: 1, localPort: 2 })).toMatchObject({ may: false });
  });
});

test("the kernel's table: the other end, not our own, and only on this machine", () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:9391 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 111 1
   1: 0100007F:D431 0100007F:9391 01 00000000:00000000 00:00000000 00000000  1000        0 222 1
   2: 0200000A:1000 0100007F:9391 01 00000000:00000000 00:00000000 00000000  1000        0 333 1
   3: 0000000000000000FFFF00000100007F:1001 0000000000000000FFFF00000100007F:9391 01 0:0 00:0 0  1000        0 444 1`;
  expect(findInode(table, { remotePort: 0xd431, localPort: 0x9391 })).toBe("222");
  expect(findInode(table, { remotePort: 0x9391, localPort: 0xd431 })).toBe("111");
  expect(findInode(table, { remotePort: 0x1001, localPort: 0x9391 })).toBe("444");
  expect(findInode(table, { remotePort: 0x1000, localPort: 0x9391 })).toBeUndefined();
  expect(findInode(table, { remotePort: 1, localPort: 0x9391 })).toBeUndefined();
});

test("lsof and ps, as macOS prints them", () => {
  const output =
    "p10165\nf20\nn127.0.0.1:46313->127.0.0.1:36762\np10172\nf21\nn127.0.0.1:36762->127.0.0.1:46313\n";
  expect(readLsof(output, { remotePort: 36762, localPort: 46313 })).toEqual([10172]);
  expect(readLsof(output, { remotePort: 1, localPort: 46313 })).toEqual([]);
  const look = makePsReader(
    "    1     0 /sbin/launchd\n  501     1 /Users/ada/My Apps/claude\n  777   501 -zsh\n",
  );
  expect(look(777)).toEqual({ parent: 501, name: "-zsh" });
  expect(look(501)).toEqual({ parent: 1, name: "claude" });
  expect(look(9)).toBeUndefined();
});
