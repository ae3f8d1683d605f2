import type { Server } from "node:net";

/** Binds the first of `ports` that is free and returns it; 0 means any. */
export async function listenOnFirst(server: Server, host: string, ports: readonly number[]): Promise<number> {
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

export function listen(
  server: Server,
  options: { host: string; port: number } | { path: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options, () => {
      server.off("error", reject);
      // Later errors concern a single connection that could not be accepted; unhandled, they would end the process.
      server.on("error", () => {});
      resolve();
    });
  });
}
