import { type AppOptions, makeApp } from "../../http/app.ts";
import { listenSocket, listenTcp } from "../../http/listen.ts";
import type { Bell } from "../capture/bell.ts";
import type { Addresses } from "../runtime/addresses.ts";
import { listPreferredPorts } from "../runtime/ports.ts";
import type { DaemonContext } from "../runtime/context.ts";

interface ListenersDeps extends Pick<DaemonContext, "home" | "config" | "store"> {
  app: AppOptions;
  bell: Bell;
  addresses: Addresses;
}

export interface Listeners {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The listeners for hooks, clients and browsers: TCP, bell, socket. */
export function openListeners({ home, config, store, app, bell, addresses }: ListenersDeps): Listeners {
  const opened: { close(): Promise<void> }[] = [];

  async function stop(): Promise<void> {
    await Promise.all(opened.splice(0).map((door) => door.close()));
  }

  async function open(): Promise<void> {
    const ports = listPreferredPorts(config.port, store.meta.get("port"));
    const tcp = await listenTcp(makeApp(app, "tcp"), ports);
    opened.push(tcp);
    if (config.port !== 0) store.meta.set("port", String(tcp.port));
    addresses.setPort(tcp.port);
    await bell.start();
    opened.push({ close: bell.stop });
    // Opened last: a client that connects here may use all other listeners.
    const transport = home.socket.startsWith("\\\\") ? "pipe" : "socket";
    opened.push(await listenSocket(makeApp(app, transport), home.socket));
  }

  return {
    async start() {
      try {
        await open();
      } catch (error) {
        await stop();
        throw error;
      }
    },
    stop,
  };
}
