import * as fs from "node:fs";
import { connect, type Socket } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
import type { HookClient, HookReply, PendingRequest } from "../hosts/in-process.ts";

interface HookClientOptions {
  /** Passed with every event. */
  host: string;
  /** The host's process: this process, or its parent. */
  hostPid?: number;
  environment: Readonly<Record<string, string | undefined>>;
  /** The script that starts the daemon. */
  launcher: string;
}

type Ring = { outcome: "answered"; reply: HookReply } | { outcome: "wait" | "nobody" | "late" };

const ownerOnly = 0o600;
const fullSpoolBytes = 524_288 * 1024;
const startMs = 9_000;
/** Retries while the daemon restarts. */
const maxTries = 8;

export function openHookClient(options: HookClientOptions): HookClient {
  const { host, hostPid = process.pid, environment, launcher } = options;
  const home = environment.ROOKERY_HOME || join(environment.HOME || homedir(), ".rookery");
  const at = (...parts: string[]): string => join(home, ...parts);
  let lastMicros = 0;
  let hasFolders = false;

  /** Unique, and in the order of the events. */
  function makeId(): string {
    lastMicros = Math.max(lastMicros + 1, Date.now() * 1000);
    return `${lastMicros}.${process.pid}.${Math.floor(Math.random() * 1e9)}`;
  }

  /** False if the event must not be stored: switched off, uninstalled meanwhile, or no space left. */
  function mayStore(event: string): boolean {
    if (environment.ROOKERY_OFF) return false;
    if (readText(at("run", "left")).trim().split(" ").includes(String(hostPid))) return false;
    if (!hasFolders)
      for (const folder of ["spool", "reply", "run"])
        fs.mkdirSync(at(folder), { recursive: true, mode: 0o700 });
    hasFolders = true;
    if (event === "SessionStart" || !fs.existsSync(at("run", "full"))) return true;
    fs.appendFileSync(at("run", "full"), ".");
    return false;
  }

  function write(name: string, text: string): boolean {
    const file = at("spool", name);
    try {
      fs.writeFileSync(file, `${hostPid}\n${text}`, { mode: ownerOnly, flag: "wx" });
      return true;
    } catch {
      fs.rmSync(file, { force: true }); // A partial file would be rejected a minute later.
      return false;
    }
  }

  /** Connects, sends the name, and reads one line. `onSocket` gets the connection, to end the wait early. */
  function ring(
    name: string,
    id: string,
    capMs?: number,
    onSocket?: (socket: Socket) => void,
  ): Promise<Ring> {
    const port = Number(readText(at("run", "bell")));
    if (!(port > 0 && port < 65_536)) return Promise.resolve({ outcome: "nobody" });
    return new Promise((resolve) => {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      let text = "";
      const end = (result: Ring): void => {
        clearTimeout(timer);
        socket.destroy();
        resolve(result);
      };
      const timer =
        capMs === undefined
          ? undefined
          : setTimeout(() => {
              writeFlag(at("run", "breaker")); // The daemon removes it.
              end({ outcome: "late" });
            }, capMs);
      for (const gone of ["error", "end", "close"]) socket.on(gone, () => end({ outcome: "nobody" }));
      socket.on("data", (chunk: Buffer) => {
        text += chunk.toString("latin1");
        if (!text.includes("\n") && text.length < 9) return;
        // The daemon takes the file before it answers; otherwise another process has answered.
        if (fs.existsSync(at("spool", name))) return end({ outcome: "nobody" });
        if (text.startsWith("wait")) return end({ outcome: "wait" });
        // The files are deleted when the connection closes.
        const exports = name.startsWith("SessionStart") ? readText(at("reply", `${id}.env`)) : "";
        const reply = text.startsWith("0") ? "" : readText(at("reply", id));
        end({ outcome: "answered", reply: { text: reply, exports } });
      });
      socket.on("connect", () => socket.write(`${name}\n`));
      socket.unref();
      onSocket?.(socket);
    });
  }

  async function report(event: string, payload: object): Promise<HookReply | undefined> {
    try {
      const id = makeId();
      const name = `${event}@${host}.${id}`;
      if (!mayStore(event) || !write(name, JSON.stringify(payload))) return undefined;
      if (fs.existsSync(at("run", "breaker"))) return undefined;
      const capMs = event.includes("ToolUse") ? 500 : 1_000;
      let rung = await ring(name, id, capMs);
      if (rung.outcome === "nobody" && event === "SessionStart") {
        await startDaemon(launcher);
        rung = await ring(name, id, capMs);
      }
      if (rung.outcome === "nobody") limitSpool(at("spool"), at("run", "full"));
      return rung.outcome === "answered" ? rung.reply : undefined;
    } catch {
      return undefined; // Memory must never stop a session.
    }
  }

  function store(event: string, payload: object): void {
    try {
      if (mayStore(event)) write(`${event}@${host}.${makeId()}`, JSON.stringify(payload));
    } catch {
      // The process exits anyway.
    }
  }

  function ask(event: string, payload: object): PendingRequest {
    const id = makeId();
    let socket: Socket | undefined;
    let isSettled = false;
    const hold = (opened: Socket): void => {
      socket = opened;
      if (isSettled) socket.destroy();
    };

    async function announce(): Promise<boolean> {
      const name = `${event}@${host}.${id}`;
      if (!mayStore(event) || !write(name, JSON.stringify(payload))) return false;
      for (let tries = 0; tries < maxTries && !isSettled; tries++) {
        const { outcome } = await ring(name, id, 5_000);
        if (outcome !== "nobody") return outcome === "wait";
        if (fs.existsSync(at("run", "stopped"))) return false;
        await pause(1_000);
        if (!fs.existsSync(at("spool", name))) return false;
      }
      return false;
    }

    async function waitForDecision(): Promise<string | undefined> {
      if (!(await announce())) return undefined;
      const name = `PermissionWait.${id}`;
      while (!isSettled) {
        if (fs.existsSync(at("spool"))) write(name, "");
        const rung = await ring(name, id, undefined, hold);
        fs.rmSync(at("spool", name), { force: true });
        if (rung.outcome === "answered") return rung.reply.text || undefined;
        if (!isSettled) await pause(1_000);
      }
      return undefined;
    }

    return {
      decision: waitForDecision().catch(() => undefined), // The dialog in the terminal stays open.
      settle(outcome) {
        if (isSettled) return;
        isSettled = true;
        const act = outcome === "allowed" ? "PermissionAllowed" : "PermissionDismissed";
        if (socket) writeFlag(at("spool", `${act}.${id}`));
        socket?.destroy();
      },
    };
  }

  function listen(sessionId: string, onLine: (line: string) => void): () => void {
    let isOver = false;
    let socket: Socket | undefined;
    const hold = (opened: Socket): void => {
      socket = opened;
    };
    async function loop(): Promise<void> {
      while (!isOver) {
        const id = makeId();
        const name = `Monitor@${host}.${id}`;
        const isWritten =
          fs.existsSync(at("spool")) && write(name, JSON.stringify({ session_id: sessionId }));
        const rung = isWritten ? await ring(name, id, undefined, hold) : undefined;
        fs.rmSync(at("spool", name), { force: true });
        if (isOver) return;
        if (rung?.outcome === "answered" && rung.reply.text.trim()) onLine(rung.reply.text.trim());
        else await pause(2_000);
      }
    }
    void loop().catch(() => {}); // Messages then come with the next prompt.
    return () => {
      isOver = true;
      socket?.destroy();
    };
  }

  return { report, store, ask, listen };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

function readText(path: string): string {
  try {
    // Most of these files rarely exist, and an exception costs more than this check.
    return fs.existsSync(path) ? fs.readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}

function writeFlag(path: string): void {
  try {
    fs.writeFileSync(path, "", { mode: ownerOnly });
  } catch {
    // No space, or uninstalled: the daemon notices on its own.
  }
}

/** Limits the spool while no daemon reads it. Summing the sizes is slow, so only one call in 64 does it. */
function limitSpool(spool: string, full: string): void {
  if (Math.floor(Math.random() * 64) !== 0) return;
  const sizes = fs
    .readdirSync(spool)
    .map((name) => fs.statSync(join(spool, name), { throwIfNoEntry: false })?.size ?? 0);
  if (sizes.reduce((sum, size) => sum + size, 0) > fullSpoolBytes) writeFlag(full);
}

/** Resolves when the daemon has started, or after a while. */
function startDaemon(launcher: string): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn("sh", [launcher, "start", "--from-hook"], { stdio: "ignore", windowsHide: true });
    const timer = setTimeout(resolve, startMs);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    child.on("error", end);
    child.on("exit", end);
  });
}
