import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseJson } from "../../shared/json.ts";
import { restartDaemon } from "../start-daemon.ts";
import { formatDuration, formatCount } from "../format.ts";
import { type Check, ok, problem, quotePath, type CheckResult, skipped, warning } from "./check-result.ts";
import type { DoctorFacts } from "./doctor-facts.ts";

export const socketChecks: readonly Check[] = [
  { check: "Socket", run: checkSocket },
  { check: "Bell", run: checkBell },
  { check: "Breaker", run: checkBreaker },
  { check: "Ports", run: checkPorts },
];

/** The kernel's limit for the path of a socket. */
const maxPathBytes = process.platform === "darwin" ? 103 : 107;
/** The daemon removes the breaker within a second. */
const resetWithinMs = 3_000;

async function checkSocket(facts: DoctorFacts): Promise<CheckResult> {
  const { context, status, daemons } = facts;
  const { socket, run } = context.home;
  if (process.platform === "win32") return ok(socket);
  const length = Buffer.byteLength(socket);
  if (length > maxPathBytes)
    return problem(
      `the socket path is ${length} bytes long, the limit is ${maxPathBytes}: ${socket}`,
      "Choose a shorter home: export ROOKERY_HOME=$HOME/.rookery",
    );
  const folder = dirname(socket);
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (folder !== run && stats && (stats.mode & 0o077) !== 0)
    return problem(
      `other users can enter ${folder}, which contains the socket`,
      `chmod 700 ${quotePath(folder)}`,
    );
  if (await status()) return ok(socket);
  if (!existsSync(socket)) return ok("none, because no daemon is running");
  if (daemons().length > 0) return skipped("see Daemon");
  return warning(`${socket} was left behind by a daemon that no longer runs`, "rookery start", async () => {
    if (await isListening(socket)) return `kept ${socket}: a process listens on it now`;
    rmSync(socket, { force: true });
    return `removed ${socket}`;
  });
}

/** The port that hooks connect to. */
async function checkBell({ context, status, daemons }: DoctorFacts): Promise<CheckResult> {
  const { bell } = context.home;
  const port = readBell(bell);
  if (await status()) {
    if (port > 0 && (await isListening(port))) return ok(`port ${port}`);
    const message = port > 0 ? `no process listens on port ${port}` : `${bell} is missing`;
    return problem(`${message}: hooks can only write to the spool`, "rookery restart", async () => {
      await restartDaemon(context);
      return "restarted the daemon; the bell works again";
    });
  }
  if (port === 0) return ok("none, because no daemon is running");
  if (daemons().length > 0) return skipped("see Daemon");
  return warning(`port ${port} was left behind by a daemon that no longer runs`, "rookery start", () => {
    if (readBell(bell) !== port) return "kept the bell: a daemon has replaced it";
    rmSync(bell, { force: true });
    return `removed ${bell}`;
  });
}

function readBell(file: string): number {
  return existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
}

/** Set by a hook that timed out; all hooks only spool until the daemon removes it. */
async function checkBreaker({ context, status, nowMs }: DoctorFacts): Promise<CheckResult> {
  const { breaker, spoolFull } = context.home;
  const dropped = statSync(spoolFull, { throwIfNoEntry: false })?.size;
  const isUp = (await status()) !== undefined;
  for (
    const until = performance.now() + resetWithinMs;
    isUp && existsSync(breaker) && performance.now() < until;
  )
    await delay(100);
  const set = statSync(breaker, { throwIfNoEntry: false });
  if (isUp && set)
    return problem(
      "hooks do not ring the bell, and the daemon does not reset the breaker",
      "rookery restart",
      async () => {
        await restartDaemon(context);
        return "restarted the daemon; hooks ring the bell again";
      },
    );
  if (dropped !== undefined && !isUp)
    return problem(`the spool was full: ${formatCount(dropped, "event")} dropped`, "rookery start");
  if (!set) return ok("hooks ring the bell");
  const age = formatDuration(Math.max(0, nowMs - set.mtimeMs));
  return warning(
    `hooks stopped ringing the bell ${age} ago; they only write to the spool until a daemon runs`,
    "rookery start",
  );
}

/** The daemon takes another port if one is in use; the user may still expect the configured one. */
async function checkPorts({ config, daemonFile, status }: DoctorFacts): Promise<CheckResult | CheckResult[]> {
  const [settings, running] = [config()?.config, daemonFile()];
  if (!settings || !running || !(await status())) return skipped("the daemon does not answer");
  const pairs = [
    { name: "the viewer", wanted: settings.port, got: running.port },
    { name: "the homeserver", wanted: settings.matrix.port, got: running.matrixPort ?? settings.matrix.port },
  ];
  const moved = pairs.filter(({ wanted, got }) => wanted !== 0 && wanted !== got);
  if (moved.length === 0) return ok(`viewer ${running.port}, homeserver ${running.matrixPort ?? "not yet"}`);
  return Promise.all(
    moved.map(async ({ name, wanted, got }) => {
      const who = await identify(wanted);
      return warning(
        `port ${wanted} ${who}; ${name} is on ${got}`,
        `\`rookery open\` finds it. To free the port: lsof -i :${wanted}, end that process, then: rookery restart`,
      );
    }),
  );
}

async function identify(port: number): Promise<string> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(1_000) });
    const { version } = parseJson(await answer.text()) as { version?: unknown };
    if (typeof version === "string") return `is used by Rookery ${version} of another home`;
  } catch {
    // Another program or nothing; distinguished below.
  }
  return (await isListening(port)) ? "is used by another program" : "was in use when the daemon started";
}

function isListening(where: string | number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = typeof where === "string" ? connect(where) : connect(where, "127.0.0.1");
    const finish = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.on("connect", () => finish(true)).on("error", () => finish(false));
  });
}
