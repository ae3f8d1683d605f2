import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { findFreePort } from "./postgres.ts";
import { waitFor } from "./processes.ts";

/** The reference homeserver, independent of ours. */
export interface Synapse {
  url: string;
  register(name: string): Promise<{ userId: string; password: string; url: string }>;
  close(): Promise<void>;
}

/** Of the Debian package matrix-synapse; undefined if it is not installed. */
export function findSynapse(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin"];
  return folders.map((folder) => join(folder, "synapse_homeserver")).find((file) => existsSync(file));
}

const serverName = "example.org";
const unlimited = { per_second: 10_000, burst_count: 10_000 };

/** With its default settings, except for open registration and `settings`. By default, nothing is rate limited. */
export async function openSynapse(
  bin: string,
  settings: object = {
    rc_message: unlimited,
    rc_joins: { local: unlimited, remote: unlimited },
    rc_invites: { per_room: unlimited, per_user: unlimited, per_issuer: unlimited },
    rc_login: { address: unlimited, account: unlimited, failed_attempts: unlimited },
  },
): Promise<Synapse> {
  const folder = mkdtempSync(join(tmpdir(), "rk-synapse-"));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const config = {
    server_name: serverName,
    public_baseurl: url,
    pid_file: join(folder, "pid"),
    signing_key_path: join(folder, "signing.key"),
    media_store_path: join(folder, "media"),
    database: { name: "sqlite3", args: { database: join(folder, "homeserver.db") } },
    listeners: [
      { port, bind_addresses: ["127.0.0.1"], type: "http", tls: false, resources: [{ names: ["client"] }] },
    ],
    trusted_key_servers: [],
    report_stats: false,
    enable_registration: true,
    enable_registration_without_verification: true,
    rc_registration: unlimited,
    // Hashing takes a quarter of a second with the default.
    bcrypt_rounds: 4,
    ...settings,
  };
  const file = join(folder, "homeserver.yaml");
  // YAML includes JSON.
  writeFileSync(file, JSON.stringify(config));
  execFileSync(bin, ["--config-path", file, "--generate-keys"], { stdio: "ignore", cwd: folder });
  const server = spawn(bin, ["--config-path", file], { stdio: "ignore", cwd: folder });
  const isUp = async (): Promise<boolean> =>
    (await fetch(`${url}/_matrix/client/versions`).catch(() => undefined))?.ok === true;
  await waitFor(isUp, { timeoutMs: 60_000, describe: "Synapse to answer" });
  return {
    url,
    async register(name) {
      const password = `password of ${name}`;
      const body = { username: name, password, auth: { type: "m.login.dummy" }, inhibit_login: true };
      const answer = await fetch(`${url}/_matrix/client/v3/register`, {
        method: "POST",
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`register ${name}: ${answer.status} ${await answer.text()}`);
      return { userId: `@${name}:${serverName}`, password, url };
    },
    async close() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
