import { closeServer, listenOnFirstFree } from "../shared/listen.ts";
import { loadMigrations, migrate } from "../sqlite/migrate.ts";
import { openDatabase } from "../sqlite/sqlite.ts";
import { openUpkeep, type Upkeep } from "../sqlite/upkeep.ts";
import type { HomeserverOptions } from "./contract.ts";
import { makeListener } from "./listener.ts";
import { makeRouter } from "./router.ts";
import { routes } from "./routes.ts";
import { openServices, type Services } from "./services.ts";

export interface Homeserver {
  port: number;
  services: Services;
  upkeep: Upkeep;
  close(): Promise<void>;
}

const maxConnections = 4_096;

/** Opens the database, the services and the routes, and listens on a port. */
export async function openHomeserver(options: HomeserverOptions): Promise<Homeserver> {
  const db = openDatabase(options.database, { cacheKb: 2_000 });
  try {
    // The services cache hot data themselves, so a small page cache is enough.
    db.script("PRAGMA cache_size = -1000");
    migrate(db, loadMigrations(options.migrations));
    const services = openServices(db, { ...options, serverName: resolveServerName(db, options) });
    const server = makeListener(makeRouter(routes), services, options.log);
    server.maxConnections = maxConnections;
    const port =
      options.ports.length === 0 ? 0 : await listenOnFirstFree(server, options.host, options.ports);
    const upkeep = openUpkeep(db, { path: options.database, index: "event_words" });
    services.address.url = options.publicUrl ?? `http://${options.host}:${port}`;
    return {
      port,
      services,
      upkeep,
      async close() {
        services.close();
        await closeServer(server);
        db.close();
        upkeep.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Every id contains the server name, so the name that the database was created with is kept. */
function resolveServerName(
  db: ReturnType<typeof openDatabase>,
  { serverName, log }: HomeserverOptions,
): string {
  db.run("INSERT OR IGNORE INTO meta (key, value) VALUES ('server_name', ?)", serverName);
  const kept =
    db.get<{ value: string }>("SELECT value FROM meta WHERE key = 'server_name'")?.value ?? serverName;
  if (kept !== serverName)
    log.warn("matrix: the configured server name differs from the database; keeping the original", {
      kept,
      asked: serverName,
    });
  return kept;
}
