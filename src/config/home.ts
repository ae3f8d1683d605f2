import { chmodSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { AppError } from "../shared/errors.ts";
import { parseJson } from "../shared/json.ts";
import type { Environment } from "./environment.ts";

/** Paths of one user's data. Several homes can exist side by side. */
export interface Home {
  root: string;
  database: string;
  /** Daily copy of the database. */
  backup: string;
  /** Data of the embedded homeserver. */
  matrixDatabase: string;
  matrixMedia: string;
  /** Data of the `managed` homeserver. */
  managedMatrix: string;
  config: string;
  secrets: string;
  token: string;
  daemonFile: string;
  run: string;
  lock: string;
  bell: string;
  breaker: string;
  spoolFull: string;
  /** Pid of the running model child process, if any. */
  modelChild: string;
  /** Path of the Node that the launcher found. */
  nodePath: string;
  /** Exists while the daemon is stopped by the user: supervisors must not restart it. */
  stoppedByUser: string;
  /** Pids of sessions that were running during an uninstall: their hooks do nothing. */
  orphanedSessions: string;
  /** The copy of Rookery that sessions run; the installation source can be deleted. */
  app: string;
  /** Backups of other programs' files that we changed. */
  backups: string;
  /** Output of `rookery statusline`. */
  statusLine: string;
  spool: string;
  rejected: string;
  reply: string;
  logs: string;
  log: string;
  bootLog: string;
  /** Unix socket, or a named pipe on Windows. */
  socket: string;
}

export function locateHome(environment: Environment): Home {
  const root = resolve(environment.ROOKERY_HOME || join(environment.HOME || homedir(), ".rookery"));
  const run = join(root, "run");
  const logs = join(root, "logs");
  return {
    root,
    database: join(root, "rookery.db"),
    backup: join(root, "rookery.db.backup"),
    matrixDatabase: join(root, "matrix.db"),
    matrixMedia: join(root, "matrix-media"),
    managedMatrix: join(root, "matrix-managed"),
    config: join(root, "config.json"),
    secrets: join(root, "secrets.json"),
    token: join(root, "token"),
    daemonFile: join(root, "daemon.json"),
    run,
    lock: join(run, "lock"),
    bell: join(run, "bell"),
    breaker: join(run, "breaker"),
    spoolFull: join(run, "full"),
    modelChild: join(run, "model-child"),
    nodePath: join(run, "node"),
    stoppedByUser: join(run, "stopped"),
    orphanedSessions: join(run, "left"),
    app: join(root, "app"),
    backups: join(root, "backups"),
    statusLine: join(run, "statusline"),
    spool: join(root, "spool"),
    rejected: join(root, "rejected"),
    reply: join(root, "reply"),
    logs,
    log: join(logs, "daemon.log"),
    bootLog: join(logs, "boot.log"),
    socket: locateSocket(root, environment),
  };
}

/**
 * macOS limits a socket path to about 104 bytes: a longer home has its socket elsewhere. `daemon.json` says where,
 * because callers may have another runtime folder than the daemon.
 */
function locateSocket(root: string, environment: Environment): string {
  if (process.platform === "win32") return `\\\\.\\pipe\\rookery-${hashRoot(root)}`;
  const inHome = join(root, "run", "rookery.sock");
  if (Buffer.byteLength(inHome) <= 100) return inHome;
  const known = readSocketPath(join(root, "daemon.json"));
  if (known !== undefined) return known;
  const parent = environment.XDG_RUNTIME_DIR || join(tmpdir(), `rookery-${process.getuid?.()}`);
  // Anyone can create a folder of this name, and would then answer in the daemon's place.
  const uid = statSync(parent, { throwIfNoEntry: false })?.uid;
  if (uid !== undefined && uid !== process.getuid?.())
    throw new AppError("home_not_private", `${parent} must be owned by you.`);
  return join(parent, `rookery-${hashRoot(root)}.sock`);
}

function readSocketPath(daemonFile: string): string | undefined {
  try {
    const { socket } = parseJson(readFileSync(daemonFile, "utf8")) as { socket?: unknown };
    return typeof socket === "string" ? socket : undefined;
  } catch {
    return undefined; // No daemon runs; the next one chooses its socket.
  }
}

/** Loaded on demand: most homes need no hash, and the module takes a fifth of the time a small command needs. */
function hashRoot(root: string): string {
  const { hash } = process.getBuiltinModule("node:crypto");
  return hash("sha256", root).slice(0, 16);
}

/** Creates missing folders with mode 0700. Throws if the home is not private to this user. */
export function prepareHome(home: Home): void {
  try {
    for (const folder of [home.root, home.run, home.spool, home.rejected, home.reply, home.logs]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (process.platform !== "win32") chmodSync(folder, 0o700);
    }
    if (process.platform === "win32") return;
    const socketFolder = resolve(home.socket, "..");
    if (socketFolder !== home.run) {
      mkdirSync(socketFolder, { recursive: true, mode: 0o700 });
      const { uid, mode } = statSync(socketFolder);
      if (uid !== process.getuid?.() || (mode & 0o077) !== 0)
        throw new Error(`${socketFolder} must be owned by you, with mode 0700`);
    }
  } catch (cause) {
    throw new AppError("home_not_private", `Cannot use ${home.root}: ${(cause as Error).message}`, { cause });
  }
}
