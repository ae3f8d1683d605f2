import type { Server } from "node:http";
import { listenOnFirst } from "../shared/listen.ts";
import type { Log } from "../shared/log.ts";
import { loadMigrations, migrate } from "../sqlite/migrate.ts";
import { openDatabase } from "../sqlite/sqlite.ts";
import { openUpkeep, type Upkeep } from "../sqlite/upkeep.ts";
import { makeListener } from "./listener.ts";
import { makeRouter } from "./router.ts";
import { routes } from "./routes.ts";
import { openServices, type ServiceOptions, type Services } from "./services.ts";

export interface HomeserverOptions extends ServiceOptions {
  database: string;
  migrations: URL;
  host: string;
  /** Tried in order; 0 is any. None: it only looks after its database. */
  ports: readonly number[];
  /** What clients are told to use; without one, the address listened on. */
  publicUrl: string | undefined;
  log: Log;
}

export interface Homeserver {
  port: number;
  services: Services;
  upkeep: Upkeep;
  close(): Promise<void>;
}

const mostConnections = 4_096;

/** The whole server: its database, its services, its routes, and a port. */
export async function openHomeserver(options: HomeserverOptions): Promise<Homeserver> {
  const db = openDatabase(options.database, { cacheKb: 2_000 });
  try {
    // What is asked for often is in memory already: the database need not keep it a second time.
    db.script("PRAGMA cache_size = -1000");
    migrate(db, loadMigrations(options.migrations));
    const services = openServices(db, { ...options, serverName: keepServerName(db, options) });
    const server = makeListener(makeRouter(routes), services, options.log);
    server.maxConnections = mostConnections;
    const port = options.ports.length === 0 ? 0 : await listenOnFirst(server, options.host, options.ports);
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

/** The name stands in every id: the one that the database was made with stays. */
function keepServerName(db: ReturnType<typeof openDatabase>, { serverName, log }: HomeserverOptions): string {
  db.run("INSERT OR IGNORE INTO meta (key, value) VALUES ('server_name', ?)", serverName);
  const kept =
    db.get<{ value: string }>("SELECT value FROM meta WHERE key = 'server_name'")?.value ?? serverName;
  if (kept !== serverName)
    log.warn("matrix: the server keeps the name it was made with", { kept, asked: serverName });
  return kept;
}

/** Lets running requests finish, then cuts what stays open. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), 300).unref();
  });
}
