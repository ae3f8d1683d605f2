import type { Config } from "../../config/schema.ts";
import { type EmbeddedHomeserver, openEmbeddedHomeserver } from "./homeserver.ts";
import { listPreferredPorts } from "../runtime/ports.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** Limits of concurrent long polls, in total and per user. */
const longPolls = { waiting: 2_000, waitingPerUser: 64 };

interface HomeserverDeps extends Pick<DaemonContext, "home" | "store" | "log"> {
  config: Config["matrix"];
  onListening(port: number): void;
}

/** The embedded homeserver, configured by the settings; undefined if they select another one or none. */
export function openHomeserver(deps: HomeserverDeps): EmbeddedHomeserver | undefined {
  const { config, store } = deps;
  if (!config.enabled || config.homeserver !== "embedded") return undefined;
  return openWithPorts({
    ...deps,
    ports: listPreferredPorts(config.port, store.meta.get("matrixPort")),
    onListening(port) {
      if (config.port !== 0) store.meta.set("matrixPort", String(port));
      deps.onListening(port);
    },
  });
}

/** The embedded homeserver without a listener, to maintain its database only. */
export function openHomeserverWithoutListener(
  deps: Pick<HomeserverDeps, "home" | "config" | "log">,
): EmbeddedHomeserver {
  return openWithPorts({ ...deps, ports: [], onListening() {} });
}

function openWithPorts(
  deps: Omit<HomeserverDeps, "store"> & { ports: readonly number[] },
): EmbeddedHomeserver {
  const { home, config, log, ports, onListening } = deps;
  const { serverName, host, writesPerSecond, mediaBytes } = config;
  return openEmbeddedHomeserver({
    workerUrl: new URL("./homeserver-worker.js", import.meta.url),
    log,
    options: {
      database: home.matrixDatabase,
      mediaFolder: home.matrixMedia,
      serverName,
      host,
      ports,
      publicUrl: config.publicUrl || undefined,
      isRegistrationOpen: config.registration === "open",
      limits: { ...longPolls, writesPerSecond, mediaBytes },
    },
    onListening,
  });
}
