import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { logIn, type MatrixLogin, register } from "../../matrix-client/login.ts";
import { MatrixError, requestMatrix } from "../../matrix-client/request.ts";
import { readSecrets, updateSecrets } from "../../config/secrets.ts";
import type { Backoff } from "../../shared/backoff.ts";
import { AppError } from "../../shared/errors.ts";
import { listenOnFirstFree } from "../../shared/listen.ts";
import { makeRestartPolicy } from "../../shared/restart-policy.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** A homeserver that is started by the user's own command line and runs as long as the daemon. */
interface ManagedHomeserver {
  start(): void;
  /** Its address; throws while it does not answer. */
  url(): string;
  /** Our account on it, created on first use. */
  signIn(): Promise<MatrixLogin>;
  stop(): Promise<void>;
}

interface ManagedHomeserverDeps extends Pick<DaemonContext, "environment" | "log"> {
  command: string;
  serverName: string;
  /** 0 picks any free port at the first start. */
  port: number;
  folder: string;
  secretsFile: string;
  /** Delays between restarts. */
  backoff?: Backoff;
}

/**
 * When the daemon ends for any reason, the closed pipe ends the whole process group: first with SIGTERM, then SIGKILL.
 * `$1` is the user's command line; the shell itself only waits.
 */
const tether = `
exec 3<&0
sh -c "exec $1" </dev/null &
child=$!
( trap '' TERM; read -r _ <&3; kill -TERM "$child" 2>/dev/null
  n=0; while kill -0 "$child" 2>/dev/null && [ $n -lt 20 ]; do sleep 0.1; n=$((n + 1)); done
  kill -KILL -- -$$ 2>/dev/null ) &
watcher=$!
exec 3<&-
wait "$child"
code=$?
kill -KILL "$watcher" 2>/dev/null
exit $code
`;

const user = "rookery";
const deviceId = "ROOKERY";
/** A homeserver that has answered before and then misses this many checks is restarted. */
const [checkMs, maxMisses] = [10_000, 3];
const stopWithinMs = 3_000;

export function openManagedHomeserver(deps: ManagedHomeserverDeps): ManagedHomeserver {
  const { log } = deps;
  let { port } = deps;
  let child: ChildProcess | undefined;
  let startedAt = 0;
  const restarts = makeRestartPolicy(deps.backoff);
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let watch: NodeJS.Timeout | undefined;

  function start(): void {
    if (deps.command.trim() === "") {
      log.error("matrix: there is no command line for a managed homeserver; set matrix.command");
      return;
    }
    run().catch((error: unknown) => log.error("matrix: the homeserver cannot be started", { error }));
  }

  async function run(): Promise<void> {
    if (port === 0) port = await findFreePort();
    if (isStopping) return;
    mkdirSync(deps.folder, { recursive: true, mode: 0o700 });
    startedAt = performance.now();
    const started = spawn("sh", ["-c", tether, "rookery-homeserver", deps.command], {
      cwd: deps.folder,
      env: makeVariables(),
      stdio: ["pipe", "pipe", "pipe"],
      detached: true, // Its own process group, so that all of it can be ended.
    });
    child = started;
    const logOutput = (chunk: string): void =>
      log.info("matrix: homeserver", { says: chunk.trim().slice(0, 500) });
    started.stdout.setEncoding("utf8").on("data", logOutput);
    started.stderr.setEncoding("utf8").on("data", logOutput);
    started.stdin.on("error", () => {}); // The process has ended; `exit` reports it.
    started.on("error", (error) => log.error("matrix: the homeserver cannot be started", { error }));
    started.on("exit", (code) => onEnded(code));
    watch = watchHealth(started);
  }

  function watchHealth(watched: ChildProcess): NodeJS.Timeout {
    // There is no time limit for the first answer.
    let misses = Number.NEGATIVE_INFINITY;
    async function check(): Promise<void> {
      const isHealthy = await checkHealth().then(
        () => true,
        () => false,
      );
      misses = isHealthy ? 0 : misses + 1;
      if (misses < maxMisses) return;
      log.warn("matrix: the homeserver no longer answers; it is restarted");
      watched.stdin?.end(); // Closing the pipe ends the group.
    }
    return setInterval(() => void check(), checkMs).unref();
  }

  function onEnded(code: number | null): void {
    child = undefined;
    clearInterval(watch);
    if (isStopping) return;
    const pauseMs = restarts.nextPauseMs(performance.now() - startedAt);
    if (pauseMs === undefined) {
      log.error("matrix: the homeserver does not stay up; it is left alone until the next start", { code });
      return;
    }
    log.warn("matrix: the homeserver ended", { code, againInMs: pauseMs });
    timer = setTimeout(start, pauseMs).unref();
  }

  /** The environment of a Conduit or compatible server; nothing is reachable from outside this machine. */
  function makeVariables(): Record<string, string> {
    const own = Object.entries(deps.environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith("ROOKERY_"),
    );
    return {
      ...Object.fromEntries(own),
      CONDUIT_CONFIG: "",
      CONDUIT_SERVER_NAME: deps.serverName,
      CONDUIT_DATABASE_PATH: deps.folder,
      CONDUIT_DATABASE_BACKEND: "sqlite",
      CONDUIT_PORT: String(port),
      CONDUIT_ADDRESS: "127.0.0.1",
      CONDUIT_ALLOW_REGISTRATION: "true",
      CONDUIT_ALLOW_FEDERATION: "false",
    };
  }

  /** Stored before the account is created: an account with an unknown password would block the name for good. */
  function loadPassword(): string {
    const { managedPassword: known } = readSecrets(deps.secretsFile).matrix;
    if (known) return known;
    const managedPassword = randomBytes(24).toString("base64url");
    updateSecrets(deps.secretsFile, ({ matrix }) => void Object.assign(matrix, { managedPassword }));
    return managedPassword;
  }

  const url = (): string => `http://127.0.0.1:${port}`;

  async function checkHealth(): Promise<void> {
    if (!child) throw new AppError("homeserver_unavailable", "The managed homeserver is not running.");
    await requestMatrix({ url: url() }, { method: "GET", path: "/versions", timeoutMs: 5_000 });
  }

  return {
    start,
    url,
    async signIn() {
      await checkHealth();
      const password = loadPassword();
      return logIn(url(), { user, password, deviceId }).catch((error: unknown) => {
        const isUnknown = error instanceof MatrixError && error.status === 403;
        return isUnknown ? register(url(), { user, password, deviceId }) : Promise.reject(error);
      });
    },
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      const ending = child;
      if (!ending) return;
      const gone = new Promise<void>((resolve) => void ending.once("exit", () => resolve()));
      ending.stdin?.end(); // Closing the pipe ends the group.
      const late = new Promise<void>((resolve) => void setTimeout(resolve, stopWithinMs).unref());
      await Promise.race([gone, late]);
    },
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnFirstFree(server, "127.0.0.1", [0]);
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}
