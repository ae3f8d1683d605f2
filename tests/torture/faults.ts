import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ensureDaemon } from "../../src/client/start.ts";
import { makeDaemonEnvironment } from "../../src/config/environment.ts";
import { type Build, readBuildFile } from "../../src/shared/build.ts";
import { waitFor, waitUntilGone } from "../support/processes.ts";
import { makePayload, plugin } from "../support/rookery.ts";
import type { SlackProxy } from "../support/slack-proxy.ts";
import type { Disk, World } from "./world.ts";

interface Fault {
  /** Why it cannot be tried here. */
  missing?: string | undefined;
  /** Compares everything first, because the database does not survive it. */
  isFresh?: boolean;
  run(world: World): Promise<void>;
}

const dayMs = 86_400_000;
const canMount = process.platform === "linux" && process.getuid?.() === 0 && tryMount();
const needsMount = canMount ? undefined : "only root on Linux can mount a file system";

export function makeFaults(slack: SlackProxy | undefined): Record<string, Fault> {
  return {
    "kill -9": {
      async run({ rookery, random, startDaemon }) {
        await pause(random.between(20, 400));
        await rookery.kill9();
        await pause(random.between(0, 300));
        await startDaemon();
      },
    },
    "stopped process": {
      async run({ rookery, random }) {
        const pid = rookery.pid();
        process.kill(pid, "SIGSTOP");
        await pause(random.between(300, 2_000));
        process.kill(pid, "SIGCONT");
        await pause(300);
      },
    },
    "full disk": { missing: needsMount, run: fillDisk },
    "read-only home": { missing: needsMount, run: mountReadOnly },
    "no descriptors": { run: exhaustDescriptors },
    "memory of a worker": {
      async run({ rookery, breakThread }) {
        breakThread("worker", "memory");
        // Long enough to be parsed in a worker.
        const payload = makePayload("PostToolUse", {
          session_id: "large",
          tool_response: "x ".repeat(400_000),
        });
        await rookery.call("POST", "/api/hooks/PostToolUse", payload).catch(() => undefined);
        await rookery.call("GET", "/api/search?q=prompt").catch(() => undefined);
        await pause(500);
      },
    },
    "homeserver out of memory": { run: (world) => breakHomeserver(world, "memory") },
    "homeserver ends": { run: (world) => breakHomeserver(world, "exit") },
    "homeserver stalls": { run: (world) => breakHomeserver(world, "stall") },
    "clock jumps": {
      async run({ random, setClock }) {
        for (let jumps = 0; jumps < 3; jumps++) {
          setClock(random.between(-10, 10) * dayMs);
          await pause(random.between(100, 400));
        }
        setClock(0);
        await pause(200);
      },
    },
    "half-written files": { run: writeHalves },
    "damaged database": { isFresh: true, run: damageDatabase },
    "deleted database": {
      isFresh: true,
      async run({ rookery: { home }, sessions }) {
        for (const suffix of ["", "-wal", "-shm"]) rmSync(`${home.database}${suffix}`, { force: true });
        await waitFor(() => statSync(home.database, { throwIfNoEntry: false }), { timeoutMs: 30_000 });
        for (const session of sessions) await session.emit("SessionStart", { source: "startup" });
      },
    },
    "two daemons": {
      async run({ rookery }) {
        const pid = rookery.pid();
        const args = ["--disable-warning=ExperimentalWarning", join(plugin, "dist", "daemon.js")];
        const second = spawn(process.execPath, args, {
          cwd: rookery.home.root,
          env: rookery.env,
          stdio: "ignore",
        });
        await new Promise((resolve) => second.on("exit", resolve));
        if (rookery.pid() !== pid) throw new Error("the second daemon took over");
      },
    },
    upgrade: { run: upgrade },
    "50 sessions": { run: startManySessions },
    "Slack outage": {
      missing: slack ? undefined : "the Slack emulator is not installed (npm test installs it)",
      async run({ random }) {
        if (!slack) return;
        const { faults } = slack;
        const how = random.pick(["isDown", "status", "loseAnswerOf"] as const);
        if (how === "isDown") faults.isDown = true;
        if (how === "status") faults.status = 503;
        if (how === "loseAnswerOf") faults.loseAnswerOf = "chat.postMessage";
        await pause(random.between(300, 1_500));
        Object.assign(faults, { isDown: false, status: 0, loseAnswerOf: "" });
      },
    },
  };
}

/** A small file system for the home, so that it can be full. */
export const disk: Disk = {
  mount(root) {
    if (!canMount) return;
    mkdirSync(root, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=128m,mode=700", "tmpfs", root]);
  },
  unmount(root) {
    // A read-only view may lie over it.
    while (readMounts().includes(` ${root} `)) execFileSync("umount", ["-l", root]);
  },
};

const readMounts = (): string => (canMount ? readFileSync("/proc/self/mounts", "utf8") : "");

function tryMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "rk-mount-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder], { stdio: "ignore" });
    return true;
  } catch {
    return false; // A container without the right to mount.
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function fillDisk({ rookery: { home } }: World): Promise<void> {
  const ballast = join(home.root, "ballast");
  const fd = openSync(ballast, "w");
  try {
    for (const block = Buffer.alloc(65_536); ; ) writeSync(fd, block);
  } catch {
    // Full, as intended.
  } finally {
    closeSync(fd);
  }
  await pause(1_500);
  rmSync(ballast);
  await pause(300);
}

/** Over the home lies a read-only view of itself; files that are open stay writable. */
async function mountReadOnly({ rookery: { home } }: World): Promise<void> {
  execFileSync("mount", ["--bind", home.root, home.root]);
  try {
    execFileSync("mount", ["-o", "remount,ro,bind", home.root]);
    await pause(1_000);
  } finally {
    execFileSync("umount", ["-l", home.root]);
  }
  await pause(300);
}

/** More connections than the daemon has descriptors. */
async function exhaustDescriptors({ rookery, startDaemon }: World): Promise<void> {
  await rookery.kill9();
  await startDaemon("ulimit -n 100");
  const port = Number(readFileSync(rookery.home.bell, "utf8"));
  const sockets: Socket[] = [];
  for (let n = 0; n < 700; n++) sockets.push(connect({ host: "127.0.0.1", port }).on("error", () => {}));
  await pause(2_000);
  for (const socket of sockets) socket.destroy();
  await rookery.kill9();
  await startDaemon();
}

async function breakHomeserver(
  { rookery, breakThread }: World,
  fault: "exit" | "stall" | "memory",
): Promise<void> {
  breakThread("homeserver", fault);
  await pause(1_500);
  const isReady = async (): Promise<boolean> =>
    (await rookery.call("GET", "/api/status").catch(() => undefined))?.json?.matrix?.state !== "unresponsive";
  await waitFor(isReady, { timeoutMs: 30_000, describe: "the homeserver" });
}

/**
 * One that its hook still writes, and one whose hook was killed. The daemon sets such a file aside once it is a minute
 * old, which is as long as we wait for an empty spool: it is most of that already.
 */
async function writeHalves({ rookery: { home }, truth, random }: World): Promise<void> {
  const payload = JSON.stringify(makePayload("Stop", { session_id: "halves", prompt_id: "p" }));
  const id = (n: number): string => `${Date.now() * 1000}.${process.pid}.${n}${random.between(0, 99_999)}`;
  const [slow, dead] = [id(1), id(2)];
  writeFileSync(join(home.spool, `Stop.${slow}`), `1\n${payload.slice(0, 20)}`);
  writeFileSync(join(home.spool, `Stop.${dead}`), `1\n${payload.slice(0, 30)}`);
  const killedAt = (Date.now() - 50_000) / 1_000;
  utimesSync(join(home.spool, `Stop.${dead}`), killedAt, killedAt);
  truth.incomplete.add(`Stop.${dead}`);
  await pause(300);
  writeFileSync(join(home.spool, `Stop.${slow}`), `1\n${payload}`);
  truth.events.add(slow);
}

async function damageDatabase({ rookery, random, sessions, startDaemon }: World): Promise<void> {
  const { database, daemonFile, root } = rookery.home;
  const countSetAside = (): number => readdirSync(root).filter((name) => name.includes(".damaged-")).length;
  const before = countSetAside();
  const { size } = statSync(database);
  const fd = openSync(database, "r+");
  for (let n = 0; n < 20; n++)
    writeSync(fd, Buffer.alloc(4_096, 0x5a), 0, 4_096, 4_096 * random.between(1, size / 4_096 - 1));
  closeSync(fd);
  // The pages in the log would hide the damage.
  await rookery.kill9();
  await startDaemon();
  // Only unused pages may have been hit: then nothing is set aside.
  await waitFor(() => countSetAside() > before && existsSync(daemonFile), { timeoutMs: 20_000 }).catch(
    () => undefined,
  );
  for (const session of sessions) await session.emit("SessionStart", { source: "startup" });
}

/** Hands over to a newer build, as a session of an upgraded installation does; then ours returns. */
async function upgrade({ rookery, startDaemon }: World): Promise<void> {
  const artefact = mkdtempSync(join(rookery.folder, "newer-"));
  cpSync(plugin, artefact, { recursive: true });
  const buildFile = join(artefact, "dist", "build.json");
  const running = readBuildFile(buildFile) as Build;
  const build = { ...running, build: "newer", builtAt: running.builtAt + 1 };
  writeFileSync(buildFile, JSON.stringify(build));
  const { home, env } = rookery;
  const before = rookery.pid();
  const daemonScript = join(artefact, "dist", "daemon.js");
  await ensureDaemon({ address: home, home, environment: makeDaemonEnvironment(env), daemonScript, build });
  await waitUntilGone([before]);
  await pause(300);
  await rookery.kill9();
  rmSync(artefact, { recursive: true });
  await startDaemon();
}

async function startManySessions(world: World): Promise<void> {
  const known = world.sessions.length;
  const added = await Promise.all(Array.from({ length: 50 }, (_, n) => world.addSession(`many-${n % 7}`)));
  await Promise.all(
    added.map(async (session) => {
      await session.emit("UserPromptSubmit", { prompt_id: `${session.id}-p`, prompt: "hello" });
      for (let n = 0; n < 5; n++)
        await session.emit("PostToolUse", {
          prompt_id: `${session.id}-p`,
          tool_name: "Bash",
          tool_use_id: `${session.id}-${n}`,
        });
      await session.emit("SessionEnd", { reason: "logout" });
    }),
  );
  for (const session of world.sessions.splice(known)) session.end();
}
