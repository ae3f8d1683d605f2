import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { SpoolName } from "../protocol/spool-name.ts";
import type { Log } from "../shared/log.ts";

/** The sleeping monitors, one per interactive session, by the process id of their claude. */
export interface WakeBoard {
  register(name: SpoolName, socket: Socket): void;
  isAsleep(hostPid: number): boolean;
  /** Says one line to the session. False if no monitor waits there. */
  wake(hostPid: number, line: string): boolean;
  onRegistered(listener: (hostPid: number) => void): void;
  count(): number;
}

export function openWakeBoard(spoolFolder: string, replyFolder: string, log: Log): WakeBoard {
  const sleepers = new Map<number, { id: string; socket: Socket }>();
  let registered: (hostPid: number) => void = () => {};

  return {
    register(name, socket) {
      const file = join(spoolFolder, name.name);
      let hostPid: number;
      try {
        hostPid = Number.parseInt(readFileSync(file, "utf8"), 10);
        rmSync(file, { force: true });
      } catch {
        hostPid = Number.NaN;
      }
      if (!(hostPid > 0)) {
        socket.destroy(); // No file, no right to be told anything.
        return;
      }
      sleepers.get(hostPid)?.socket.destroy();
      sleepers.set(hostPid, { id: name.id, socket });
      socket.on("close", () => {
        rmSync(join(replyFolder, name.id), { force: true });
        if (sleepers.get(hostPid)?.id === name.id) sleepers.delete(hostPid);
      });
      registered(hostPid);
    },
    isAsleep: (hostPid) => sleepers.has(hostPid),
    wake(hostPid, line) {
      const sleeper = sleepers.get(hostPid);
      if (!sleeper) return false;
      sleepers.delete(hostPid);
      const text = `${line.replace(/\s+/g, " ").slice(0, 450)}\n`;
      writeFileSync(join(replyFolder, sleeper.id), text, { mode: 0o600 });
      sleeper.socket.end(`${Buffer.byteLength(text)}\n`);
      log.info("session woken", { hostPid });
      return true;
    },
    onRegistered(listener) {
      registered = listener;
    },
    count: () => sleepers.size,
  };
}
