import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Client } from "pg";
import { asNobody, findFreePort, type Postgres } from "./postgres.ts";
import { waitFor } from "./processes.ts";

/** A connection pooler in transaction mode: statements of one client may run on several server connections. */
export interface Pgbouncer {
  port: number;
  close(): Promise<void>;
}

/** Of the Debian package; undefined if it is not installed. */
export function findPgbouncer(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];
  return folders.map((folder) => join(folder, "pgbouncer")).find((file) => existsSync(file));
}

/** Knows the roles that the server has now. */
export async function openPgbouncer(
  bin: string,
  postgres: Postgres,
  probe: { user: string; password: string },
): Promise<Pgbouncer> {
  const folder = mkdtempSync(join(tmpdir(), "rk-pgbouncer-"));
  chmodSync(folder, 0o755);
  const roles = await postgres.query<{ name: string; verifier: string }>(
    "SELECT rolname AS name, rolpassword AS verifier FROM pg_authid WHERE rolpassword IS NOT NULL",
  );
  const users = join(folder, "users");
  writeFileSync(users, roles.map(({ name, verifier }) => `"${name}" "${verifier}"\n`).join(""));
  const port = await findFreePort();
  const settings = [
    "[databases]",
    `hub = host=127.0.0.1 port=${postgres.port}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = scram-sha-256",
    `auth_file = ${users}`,
    "pool_mode = transaction",
    "default_pool_size = 3",
  ];
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, `${settings.join("\n")}\n`);
  const [command, args] = asNobody(bin, [file]);
  const server = spawn(command, args, { stdio: "ignore", cwd: folder });
  const isUp = async (): Promise<boolean> => {
    const client = new Client({ host: "127.0.0.1", port, database: "hub", ...probe });
    client.on("error", () => {}); // Not up yet.
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end();
    }
  };
  await waitFor(isUp, { describe: () => "pgbouncer to answer" });
  return {
    port,
    async close() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
