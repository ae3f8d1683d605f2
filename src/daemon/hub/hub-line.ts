import { readSecrets } from "../../config/secrets.ts";
import type { HubConnection } from "../../hub/connect.ts";
import type { HubSession } from "../../hub/take-part.ts";
import type { HubTarget } from "../../hub/target.ts";
import { AppError } from "../../shared/errors.ts";

/** The connection of this machine to its hub; opened when needed. */
export interface HubLine {
  session(): Promise<HubSession>;
  close(): Promise<void>;
}

/** The PostgreSQL client is a bundle of its own: it is not loaded before a hub is used. */
export async function connectTo(target: HubTarget, timeoutMs?: number): Promise<HubConnection> {
  const { connectHub } = await import("../../hub/connect.ts");
  return connectHub(target, timeoutMs);
}

export function openHubLine(secretsFile: string): HubLine {
  let current: HubConnection | undefined;
  let opening: Promise<HubConnection> | undefined;

  async function open(): Promise<HubConnection> {
    const { connection } = readSecrets(secretsFile).hub;
    if (!connection) throw new AppError("hub_off", "This machine has not joined a hub.");
    current = await connectTo(connection);
    return current;
  }

  return {
    async session() {
      // Callers at the same time share one connection.
      const connecting = current?.isOpen()
        ? current
        : (opening ??= open().finally(() => (opening = undefined)));
      const { makeHubSession } = await import("../../hub/take-part.ts");
      return makeHubSession(await connecting);
    },
    async close() {
      const closing = current;
      current = undefined;
      await closing?.close();
    },
  };
}
