import { readSecrets } from "../../config/secrets.ts";
import type { HubConnection } from "../../hub/connect.ts";
import type { HubSession } from "../../hub/hub-session.ts";
import type { HubTarget } from "../../hub/target.ts";
import { AppError } from "../../shared/errors.ts";

/** The connection of this machine to its hub, opened when needed and shared by all callers. */
export interface HubLine {
  session(): Promise<HubSession>;
  /** Closes the connection unless a statement is running. The next statement opens it again. */
  closeIfIdle(): Promise<void>;
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
  let running = 0;

  async function open(): Promise<HubConnection> {
    const { connection } = readSecrets(secretsFile).hub;
    if (!connection) throw new AppError("hub_off", "This machine has not joined a hub.");
    current = await connectTo(connection);
    return current;
  }

  function connect(): Promise<HubConnection> | HubConnection {
    if (current?.isOpen()) return current;
    return (opening ??= open().finally(() => (opening = undefined)));
  }

  async function query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]> {
    running += 1;
    try {
      return await (await connect()).query<Row>(sql, values);
    } finally {
      running -= 1;
    }
  }

  async function close(): Promise<void> {
    const closing = current;
    current = undefined;
    await closing?.close();
  }

  return {
    async session() {
      await connect();
      const { makeHubSession } = await import("../../hub/hub-session.ts");
      return makeHubSession({ query });
    },
    async closeIfIdle() {
      if (running === 0) await close();
    },
    close,
  };
}
