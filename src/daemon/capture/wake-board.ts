import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { SpoolName } from "../../protocol/spool-name.ts";
import type { Log } from "../../shared/log.ts";

/** The sleeping monitors, one per interactive session, by the process id of their claude. */
export interface WakeBoard {
  register(name: SpoolName, socket: Socket): void;
  isAsleep(claudePid: number): boolean;
  /** Says one line to the session. False if no monitor waits there. */
  wake(claudePid: number, line: string): boolean;
  onRegistered(listener: (claudePid: number) => void): void;
  count(): number;
}

export function openWakeBoard(spoolFolder: string, replyFolder: string, log: Log): WakeBoard {
  const sleepers = new Map<number, { id: string; socket: Socket }>();
  let registered: (claudePid: number) => void = () => {};

  return {
    register(name, socket) {
      const file = join(spoolFolder, name.name);
      let claudePid: number;
      try {
        claudePid = Number.parseInt(readFileSync(file, "utf8"), 10);
        rmSync(file, { force: true });
      } catch {
        claudePid = Number.NaN;
      }
      if (!(claudePid > 0)) {
        socket.destroy(); // No file, no right to be told anything.
        return;
      }
      sleepers.get(claudePid)?.socket.destroy();
      sleepers.set(claudePid, { id: name.id, socket });
      socket.on("close", () => {
        rmSync(join(replyFolder, name.id), { force: true });
        if (sleepers.get(claudePid)?.id === name.id) sleepers.delete(claudePid);
      });
      registered(claudePid);
    },
    isAsleep: (claudePid) => sleepers.has(claudePid),
    wake(claudePid, line) {
      const sleeper = sleepers.get(claudePid);
      if (!sleeper) return false;
      sleepers.delete(claudePid);
      const text = `${line.replace(/\s+/g, " ").slice(0, 450)}\n`;
      writeFileSync(join(replyFolder, sleeper.id), text, { mode: 0o600 });
      sleeper.socket.end(`${Buffer.byteLength(text)}\n`);
      log.info("session woken", { claudePid });
      return true;
    },
    onRegistered(listener) {
      registered = listener;
    },
    count: () => sleepers.size,
  };
}
