import { rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";

/** Open bell connections that wait for a reply: monitors by process id, permission hooks by event id. */
export interface WaitingBoard<Key> {
  /**
   * Replaces an earlier connection of the same key. The reply goes to the file `id` of the reply folder.
   * `onGone` is called when the connection closes before it was released.
   */
  register(key: Key, id: string, socket: Socket, onGone?: () => void): void;
  isWaiting(key: Key): boolean;
  /** Sends the text to print, or nothing if it is empty, and ends the connection. False if none waits. */
  release(key: Key, text: string): boolean;
  count(): number;
}

export function openWaitingBoard<Key>(replyFolder: string): WaitingBoard<Key> {
  const waiting = new Map<Key, { id: string; socket: Socket }>();
  return {
    register(key, id, socket, onGone) {
      waiting.get(key)?.socket.destroy();
      waiting.set(key, { id, socket });
      socket.on("close", () => {
        rmSync(join(replyFolder, id), { force: true });
        if (waiting.get(key)?.socket !== socket) return; // Released, or replaced by a newer connection.
        waiting.delete(key);
        onGone?.();
      });
    },
    isWaiting: (key) => waiting.has(key),
    release(key, text) {
      const connection = waiting.get(key);
      if (!connection) return false;
      waiting.delete(key);
      if (text) writeFileSync(join(replyFolder, connection.id), text, { mode: 0o600 });
      connection.socket.end(`${Buffer.byteLength(text)}\n`);
      return true;
    },
    count: () => waiting.size,
  };
}
