import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Home } from "../../src/config/home.ts";

type RingResult = "answered" | "nobody" | "late";

let counter = 0;

/** Writes an event into the spool as hook.sh does, without a process. Returns the file's name. */
export function spoolEvent(
  home: Home,
  event: string,
  payload: unknown,
  hostPid: number | "" = "",
  atMs = Date.now(),
): string {
  const id = `${Math.round(atMs * 1000)}.${process.pid}.${++counter}`;
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  const file = join(home.spool, `${event}.${id}`);
  try {
    writeFileSync(file, `${hostPid}\n${text}`, { mode: 0o600 });
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
  return `${event}.${id}`;
}

/** Rings the bell as the hook does, with its breaker; its own deadline is much shorter. */
export function ringBell(home: Home, name: string, capMs = 60_000): Promise<RingResult> {
  if (existsSync(home.breaker)) return Promise.resolve("late");
  let port: number;
  try {
    port = Number(readFileSync(home.bell, "utf8"));
  } catch {
    return Promise.resolve("nobody"); // No daemon has opened a bell.
  }
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true });
    const settle = (rung: RingResult): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(rung);
    };
    const timer = setTimeout(() => {
      try {
        writeFileSync(home.breaker, "");
      } catch {
        // The disk is full or read-only: the hook says nothing either.
      }
      settle("late");
    }, capMs);
    socket.on("connect", () => socket.write(`${name}\n`));
    socket.on("error", () => settle("nobody"));
    socket.on("close", () => settle("nobody"));
    socket.on("data", (chunk) => {
      if (chunk.includes(10)) settle("answered");
    });
  });
}

/** The event id in a file's name. */
export function idOf(name: string): string {
  return name.slice(name.indexOf(".") + 1);
}

/** Writes notifications of one session until it is stopped; then returns their ids. */
export function startWriting(home: Home, session_id: string): { stop(): Promise<string[]> } {
  const ids: string[] = [];
  const stopping = new AbortController();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      const name = spoolEvent(home, "Notification", { session_id, hook_event_name: "Notification" });
      ids.push(idOf(name));
      await ringBell(home, name);
      await pause(2); // Without a bell nothing else yields to the event loop.
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await done;
      return ids;
    },
  };
}
