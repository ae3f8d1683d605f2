import { pbkdf2Sync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HomeserverOptions } from "../../src/homeserver/contract.ts";
import { type Homeserver, openHomeserver } from "../../src/homeserver/server.ts";
import { silentLog } from "../../src/shared/log.ts";

export interface Answer {
  status: number;
  headers: Headers;
  json: any;
  text: string;
}

export interface Person {
  userId: string;
  token: string;
  deviceId: string;
  /** A request with this person's token. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

export interface TestServer {
  url: string;
  folder: string;
  homeserver: Homeserver;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Creates an account without a request: hashing a password for real takes a tenth of a second. */
  register(name: string, password?: string): Promise<Person>;
  /** Ends the server and starts it again on the same files. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const password = "correct horse battery staple";
export const client = "/_matrix/client/v3";

/** Only the homeserver, in this process, with its own files. Registration is open by default. */
export async function openTestServer(overrides: Partial<HomeserverOptions> = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "rk-matrix-"));
  const options: HomeserverOptions = {
    serverName: "rookery.local",
    database: join(folder, "matrix.db"),
    mediaFolder: join(folder, "media"),
    migrations: new URL("../../src/homeserver/migrations/", import.meta.url),
    host: "127.0.0.1",
    ports: [0],
    publicUrl: undefined,
    isRegistrationOpen: true,
    limits: { writesPerSecond: 0, waiting: 2_000, waitingPerUser: 64, mediaBytes: 5_000_000 },
    clock: () => Date.now(),
    log: { ...silentLog, error: (message, fields) => console.error(message, fields) },
    ...overrides,
  };
  let homeserver = await openHomeserver(options);
  const server: TestServer = {
    url: `http://127.0.0.1:${homeserver.port}`,
    folder,
    homeserver,
    call: (method, path, body, headers) => request(server.url, method, path, body, headers),
    register(name, secret = password) {
      const { accounts, sessions, clock, serverName } = homeserver.services;
      const userId = `@${name}:${serverName}`;
      accounts.create(userId, hashCheaply(secret), clock());
      const { session, accessToken } = sessions.open(userId);
      const login = { user_id: userId, device_id: session.deviceId, access_token: accessToken };
      return Promise.resolve(makePerson(server, login));
    },
    async restart() {
      await homeserver.close();
      homeserver = await openHomeserver(options);
      server.homeserver = homeserver;
      // On another port, so that no earlier connection is reused.
      server.url = `http://127.0.0.1:${homeserver.port}`;
    },
    async close() {
      await homeserver.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return server;
}

/** In the format of src/homeserver/services/passwords.ts, with one round. */
function hashCheaply(secret: string): string {
  return `pbkdf2:1::${pbkdf2Sync(secret.normalize("NFKC"), "", 1, 32, "sha512").toString("base64")}`;
}

export function makePerson(server: TestServer, login: any): Person {
  return {
    userId: login.user_id,
    token: login.access_token,
    deviceId: login.device_id,
    call: (method, path, body) =>
      server.call(method, path, body, { Authorization: `Bearer ${login.access_token}` }),
  };
}

async function request(
  url: string,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  const payload = body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) };
  const response = await fetch(url + (path.startsWith("/") ? path : `${client}/${path}`), {
    method,
    headers,
    ...payload,
  });
  const text = await response.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined; // Media: the test reads the text.
  }
  return { status: response.status, headers: response.headers, json, text };
}
