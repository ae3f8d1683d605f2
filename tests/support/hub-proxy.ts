import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** `hung`: connections are accepted, and nothing passes. `far`: 200 ms for a round trip. */
export type HubReach = "up" | "down" | "hung" | "far";

export interface HubProxy {
  port: number;
  set(reach: HubReach): void;
  close(): Promise<void>;
}

const oneWayMs = 100;

/** A network between a machine and its hub. */
export async function openHubProxy(hubPort: number): Promise<HubProxy> {
  let reach: HubReach = "up";
  const sockets = new Set<Socket>();

  function forward(from: Socket, to: Socket): void {
    from.on("data", (bytes: Buffer) => {
      if (reach === "up") to.write(bytes);
      else if (reach === "far") setTimeout(() => to.write(bytes), oneWayMs);
    });
    // A server that hangs does not close its side either.
    from.on("end", () => reach !== "hung" && to.end());
    from.on("close", () => reach !== "hung" && to.destroy());
    from.on("error", () => to.destroy());
    sockets.add(from);
    from.on("close", () => sockets.delete(from));
  }

  const server = createServer({ allowHalfOpen: true }, (machine) => {
    if (reach === "down") {
      machine.destroy();
      return;
    }
    const hub = connect({ port: hubPort, host: "127.0.0.1", allowHalfOpen: true });
    forward(machine, hub);
    forward(hub, machine);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      reach = next;
      if (next === "down") for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
