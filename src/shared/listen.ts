import type { Server as HttpServer } from "node:http";
import type { Server } from "node:net";

/** Binds the first of `ports` that is free and returns it; 0 means any. */
export async function listenOnFirstFree(
  server: Server,
  host: string,
  ports: readonly number[],
): Promise<number> {
  let failure: unknown;
  for (const port of ports) {
    try {
      await listen(server, { host, port });
      return (server.address() as { port: number }).port;
    } catch (error) {
      failure = error;
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
    }
  }
  throw failure;
}

/**
 * Connections that the system queues while the process is busy or has no descriptors left. If the queue is full, a client
 * waits for many seconds to connect, and a shell script cannot set a limit for that. The system may lower it.
 */
const backlog = 4_096;

export function listen(
  server: Server,
  options: { host: string; port: number } | { path: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ ...options, backlog }, () => {
      server.off("error", reject);
      // Later errors concern a single connection that could not be accepted; unhandled, they would end the process.
      server.on("error", () => {});
      resolve();
    });
  });
}

/** Lets running requests finish, then closes the remaining connections (SSE, keep-alive). */
export function closeServer(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 300).unref();
  });
}
