import { readSecrets } from "../../config/secrets.ts";
import type { ConnectOptions, HubConnection } from "../../hub/connect.ts";
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
export async function connectTo(target: HubTarget, options?: ConnectOptions): Promise<HubConnection> {
  const { connectHub } = await import("../../hub/connect.ts");
  return connectHub(target, options);
}

export function openHubLine(secretsFile: string): HubLine {
  let current: HubConnection | undefined;
  let opening: Promise<HubConnection> | undefined;
  let closing = new AbortController();
  let running = 0;

  async function open(): Promise<HubConnection> {
    const { connection } = readSecrets(secretsFile).hub;
    if (!connection) throw new AppError("hub_off", "This machine has not joined a hub.");
    const { signal } = closing;
    const opened = await connectTo(connection, { signal });
    if (signal.aborted) {
      await opened.close();
      throw new AppError("hub_unreachable", "The connection to the hub was closed.");
    }
    current = opened;
    return opened;
  }

  function connect(): Promise<HubConnection> | HubConnection {
    if (current?.isOpen()) return current;
    if (opening) return opening;
    const begun = open().finally(() => {
      if (opening === begun) opening = undefined;
    });
    opening = begun;
    return begun;
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
    const closed = current;
    current = undefined;
    opening = undefined;
    closing.abort();
    closing = new AbortController();
    await closed?.close();
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
