import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";

interface LoopbackServer {
  url: string;
  close(): Promise<void>;
}

/** An HTTP server on a free loopback port. Closing it drops open connections. */
export async function openLoopbackServer(onRequest: RequestListener): Promise<LoopbackServer> {
  const server = createServer(onRequest);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error(`No port: ${address}`);
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
