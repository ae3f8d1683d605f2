import { Client, type ClientConfig, types } from "pg";
import { AppError } from "../shared/errors.ts";
import { sqlStateOf } from "./sql-state.ts";
import { type HubTarget, isLoopback } from "./target.ts";

/** One connection to the hub's database. */
export interface HubConnection {
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Several statements without values. */
  script(sql: string): Promise<void>;
  /** False once the server or the network has ended it. */
  isOpen(): boolean;
  close(): Promise<void>;
}

const connectMs = 10_000;
/** A server that hangs does not close its side of a connection. */
const closeMs = 500;
const queryMs = 60_000;

// Sequence numbers and counts stay far below 2^53.
types.setTypeParser(types.builtins.INT8, Number);

export interface ConnectOptions {
  /** A server that hangs is given up after this time per statement. */
  timeoutMs?: number;
  /** Ends an attempt to connect. */
  signal?: AbortSignal;
}

/** Connects with TLS and a verified certificate; without TLS only to this machine. */
export async function connectHub(
  target: HubTarget,
  { timeoutMs = queryMs, signal }: ConnectOptions = {},
): Promise<HubConnection> {
  const client = new Client({
    host: target.host,
    port: target.port,
    database: target.database,
    user: target.user,
    password: target.password,
    ssl: makeTls(target),
    connectionTimeoutMillis: Math.min(connectMs, timeoutMs),
    query_timeout: timeoutMs,
    application_name: "rookery",
    keepAlive: true,
  });
  let isOpen = true;
  client.on("error", () => (isOpen = false));
  client.on("end", () => (isOpen = false));
  const cut = (): void => void client.connection.stream.destroy();
  // Before the client's own listeners, which would answer with the password or its MD5 hash.
  for (const weak of ["authenticationCleartextPassword", "authenticationMD5Password"])
    client.connection.on(weak, () => client.connection.stream.destroy(withoutScram(target)));

  async function close(): Promise<void> {
    isOpen = false;
    const timer = setTimeout(cut, closeMs);
    await client.end().catch(() => undefined); // Closed already.
    clearTimeout(timer);
  }

  try {
    signal?.addEventListener("abort", cut);
    await client.connect();
    signal?.removeEventListener("abort", cut);
  } catch (cause) {
    await close();
    throw isWithoutTls(cause)
      ? new AppError("hub_without_tls", `The server at ${target.host} does not offer TLS.`, { cause })
      : toHubError(cause);
  }
  return {
    async query<Row extends object>(sql: string, values: readonly unknown[] = []) {
      try {
        return (await client.query<Row>(sql, [...values])).rows;
      } catch (cause) {
        // A statement that timed out is still running there.
        if (sqlStateOf(cause) === undefined) isOpen = false;
        throw toHubError(cause);
      }
    },
    async script(sql) {
      try {
        await client.query(sql);
      } catch (cause) {
        throw toHubError(cause);
      }
    },
    isOpen: () => isOpen,
    close,
  };
}

function makeTls({ host, isPlain, ca }: HubTarget): ClientConfig["ssl"] {
  if (isPlain) {
    if (isLoopback(host)) return false;
    throw new AppError("hub_without_tls", `A connection to ${host} needs TLS.`);
  }
  return { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) };
}

function withoutScram({ host }: HubTarget): AppError {
  return new AppError(
    "hub_refused",
    `The server at ${host} asks for a password without SCRAM: set its method to scram-sha-256.`,
  );
}

/** The client reports this without a code. */
function isWithoutTls(cause: unknown): boolean {
  return (cause as Error).message === "The server does not support SSL connections";
}

/** The server is busy, stopping, full or read-only: the same statement works later. */
const temporary = /^(?:08|53|57P|25006|40|55P03|58)/;

function toHubError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const state = sqlStateOf(cause);
  const { message } = cause as Error;
  if (state === undefined || temporary.test(state))
    return new AppError("hub_unreachable", `The hub does not answer: ${message || "no connection"}.`, {
      cause,
    });
  // Other messages of the server may quote rows.
  const isOurs = state.startsWith("RK") || state.startsWith("28") || state.startsWith("42");
  return new AppError("hub_refused", isOurs ? message : `The hub refused it (${state}).`, { cause });
}
