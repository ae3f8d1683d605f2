import * as fs from "node:fs";
import { connect, type Socket } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";

interface HookCall {
  event: string;
  environment: Readonly<Record<string, string | undefined>>;
  stdin: AsyncIterable<Uint8Array>;
  /** The command line that starts the daemon, without its arguments. */
  launcher: readonly [string, ...string[]];
}

interface RingResult {
  outcome: "answered" | "nobody" | "late" | "full";
  reply: Uint8Array;
}

const nothing = Buffer.alloc(0);
/** Like `read -n 9` in hook.sh: enough digits for any reply length, and a limit for a foreign process on the port. */
const maxAnswerLength = 9;
const fullSpoolBytes = 524_288 * 1024;
const ownerOnly = { mode: 0o600 };
/** As in hook.sh. */
const fullWarning =
  '{"systemMessage":"Rookery cannot store anything (is the disk full?). Your session continues without memory until it can."}';

/**
 * Does the same as plugin/hooks/hook.sh, for machines without bash: writes the event into the spool, rings the daemon's
 * bell, returns its reply. May throw; the caller then prints nothing.
 */
export async function runHook({ event, environment, stdin, launcher }: HookCall): Promise<Uint8Array> {
  const home = environment.ROOKERY_HOME || join(environment.HOME || homedir(), ".rookery");
  const full = join(home, "run", "full");
  if (environment.ROOKERY_OFF || !/^[A-Za-z]+$/.test(event)) return drop(stdin);
  // Rookery was uninstalled while this session was running; the session keeps its hooks until it ends.
  const left = readIfThere(join(home, "run", "left"))
    .toString()
    .trim()
    .split(" ");
  if (environment.CLAUDE_PID && left.includes(environment.CLAUDE_PID)) return drop(stdin);
  for (const folder of ["spool", "reply", "run"])
    fs.mkdirSync(join(home, folder), { recursive: true, mode: 0o700 });
  if (event !== "SessionStart" && fs.existsSync(full)) {
    fs.appendFileSync(full, ".");
    return drop(stdin);
  }
  const id = `${Date.now()}000.${process.pid}.${Math.floor(Math.random() * 1e9)}`;
  const isWritten = await writeEvent(
    join(home, "spool", `${event}.${id}`),
    environment.CLAUDE_PID ?? "",
    stdin,
  );

  const { outcome, reply } = await ring(home, event, id, environment.CLAUDE_ENV_FILE);
  if (outcome === "answered") return reply;
  if (outcome === "full" || (!isWritten && event === "SessionStart")) return Buffer.from(fullWarning);
  if (!isWritten) return nothing;
  if (event !== "SessionStart") return limitSpool(join(home, "spool"), full);
  await startDaemon(launcher, outcome === "nobody");
  if (outcome === "late") return nothing;
  return (await ring(home, event, id, environment.CLAUDE_ENV_FILE)).reply;
}

/** Reads stdin to the end, so that the host does not get a broken pipe. */
async function drop(stdin: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  for await (const _ of stdin);
  return nothing;
}

/**
 * Returns whether there was space. Deletes a partial file: the daemon would wait a minute for the rest, then reject the
 * event.
 */
async function writeEvent(file: string, hostPid: string, stdin: AsyncIterable<Uint8Array>): Promise<boolean> {
  let fd: number | undefined;
  try {
    fd = fs.openSync(file, "wx", ownerOnly.mode);
    fs.writeFileSync(fd, `${hostPid}\n`);
    for await (const chunk of stdin) fs.writeFileSync(fd, chunk);
    return true;
  } catch {
    fs.rmSync(file, { force: true });
    return false; // The daemon counts the event and reads it from the transcript later.
  } finally {
    if (fd !== undefined) fs.closeSync(fd);
  }
}

/** Data is passed in files; the socket only signals. See hook.sh for the reasons. */
async function ring(
  home: string,
  event: string,
  id: string,
  envFile: string | undefined,
): Promise<RingResult> {
  const breaker = join(home, "run", "breaker");
  if (event !== "PermissionRequest" && fs.existsSync(breaker)) return { outcome: "late", reply: nothing };
  const port = Number(readIfThere(join(home, "run", "bell")).toString());
  if (!(port > 0 && port < 65_536)) return { outcome: "nobody", reply: nothing };
  // The daemon deletes the reply when the socket closes, so keep it half open until the reply is read.
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const answer = await ask(socket, `${event}.${id}\n`, capOf(event));
  try {
    if (answer === "late") fs.writeFileSync(breaker, "", ownerOnly); // The daemon removes it.
    if (typeof answer === "string") return { outcome: answer, reply: nothing };
    // The daemon takes the file before it answers; if the file is still there, another process answered.
    if (fs.existsSync(join(home, "spool", `${event}.${id}`))) return { outcome: "nobody", reply: nothing };
    const reply = readIfThere(join(home, "reply", id));
    const exports = envFile ? readIfThere(join(home, "reply", `${id}.env`)) : nothing;
    if (envFile && exports.length > 0) appendIfPossible(envFile, exports);
    return { outcome: "answered", reply: reply.length === answer ? reply : nothing };
  } finally {
    socket.destroy();
  }
}

function capOf(event: string): number {
  if (event === "PermissionRequest") return 5_000; // The dialog is open in the meantime.
  return event.includes("ToolUse") ? 500 : 1_000;
}

function ask(socket: Socket, line: string, capMs: number): Promise<number | "nobody" | "late" | "full"> {
  return new Promise((resolve) => {
    let text = "";
    setTimeout(() => resolve("late"), capMs).unref(); // One deadline for the whole answer, even if it arrives byte by byte.
    for (const gone of ["error", "end", "close"]) socket.on(gone, () => resolve("nobody"));
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (text.includes("\n") || text.length >= maxAnswerLength)
        resolve(text.startsWith("full") ? "full" : Number(text.slice(0, maxAnswerLength).split("\n")[0]));
    });
    socket.write(line);
  });
}

/** Limits the spool while no daemon reads it. Summing the sizes is slow, so only one call in 64 does it. */
function limitSpool(spool: string, full: string): Uint8Array {
  if (Math.floor(Math.random() * 64) !== 0) return nothing;
  const sizeOf = (name: string): number =>
    fs.statSync(join(spool, name), { throwIfNoEntry: false })?.size ?? 0;
  const bytes = fs.readdirSync(spool).reduce((sum, name) => sum + sizeOf(name), 0);
  if (bytes > fullSpoolBytes) fs.writeFileSync(full, "", ownerOnly);
  return nothing;
}

async function startDaemon([command, ...first]: HookCall["launcher"], wait: boolean): Promise<void> {
  const { spawn, spawnSync } = await import("node:child_process");
  const args = [...first, "start", "--from-hook"];
  const options = { stdio: "ignore", windowsHide: true } as const;
  if (wait) return void spawnSync(command, args, options);
  const child = spawn(command, args, { ...options, detached: true });
  child.on("error", () => {}).unref(); // Without a launcher the event waits in the spool.
}

function readIfThere(file: string): Buffer {
  try {
    return fs.readFileSync(file);
  } catch {
    return nothing; // An absent file counts as empty.
  }
}

function appendIfPossible(file: string, text: Uint8Array): void {
  try {
    fs.appendFileSync(file, text, ownerOnly);
  } catch {
    // Print the reply even without the exports.
  }
}
