import { chmodSync, rmSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import { limitPipelining } from "../shared/limit-pipelining.ts";
import { closeServer, listen, listenOnFirstFree } from "../shared/listen.ts";
import type { App } from "./app.ts";

interface Listener {
  port: number;
  close(): Promise<void>;
}

/** Binds 127.0.0.1 on the first of `ports` that is free; 0 means any. */
export async function listenTcp(app: App, ports: readonly number[]): Promise<Listener> {
  const server = makeServer(app);
  const port = await listenOnFirstFree(server, "127.0.0.1", ports);
  return { port, close: () => closeServer(server) };
}

/** Only the holder of the lock may call this: it deletes a socket file that a dead daemon left behind. */
export async function listenSocket(app: App, path: string): Promise<Listener> {
  const server = makeServer(app);
  const isFile = !path.startsWith("\\\\");
  if (isFile) rmSync(path, { force: true });
  await listen(server, { path });
  if (isFile) chmodSync(path, 0o600);
  return { port: 0, close: () => closeServer(server) };
}

/**
 * Whether a daemon responds there. Accepted connections prove nothing: the system accepts them for a killed process too,
 * until it has freed its memory.
 */
export function isResponding(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const outgoing = request({ socketPath: path, path: "/health", timeout: 300, agent: false });
    outgoing.on("response", () => resolve(true)).on("error", () => resolve(false));
    for (const event of ["response", "timeout"]) outgoing.on(event, () => outgoing.destroy());
    outgoing.on("close", () => resolve(false));
    outgoing.end();
  });
}

function makeServer(app: App): Server {
  const server = createServer({ keepAliveTimeout: 30_000, requestTimeout: 60_000 }, limitPipelining(app));
  server.maxConnections = 512;
  return server;
}
