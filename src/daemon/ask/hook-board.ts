import { rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";

/** The hooks that sleep until their question is settled, by the id of their event. */
export interface HookBoard {
  /** `onGone` is called when it hangs up without having been told anything. */
  register(hookId: string, socket: Socket, onGone: () => void): void;
  isWaiting(hookId: string): boolean;
  /** Tells the hook what to print, nothing for the empty text, and lets it go. False if none waits. */
  release(hookId: string, text: string): boolean;
  count(): number;
}

export function openHookBoard(replyFolder: string): HookBoard {
  const sleepers = new Map<string, Socket>();
  return {
    register(hookId, socket, onGone) {
      sleepers.get(hookId)?.destroy();
      sleepers.set(hookId, socket);
      socket.on("close", () => {
        rmSync(join(replyFolder, hookId), { force: true });
        if (sleepers.get(hookId) !== socket) return; // Told, or come back on another connection.
        sleepers.delete(hookId);
        onGone();
      });
    },
    isWaiting: (hookId) => sleepers.has(hookId),
    release(hookId, text) {
      const socket = sleepers.get(hookId);
      if (!socket) return false;
      sleepers.delete(hookId);
      if (text) writeFileSync(join(replyFolder, hookId), text, { mode: 0o600 });
      socket.end(`${Buffer.byteLength(text)}\n`);
      return true;
    },
    count: () => sleepers.size,
  };
}
