// node stand-in-homeserver.ts: a fake `managed` homeserver, configured with CONDUIT_* variables like Conduit.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openHomeserver } from "../../src/homeserver/server.ts";
import { silentLog } from "../../src/shared/log.ts";

const {
  CONDUIT_DATABASE_PATH: folder = ".",
  CONDUIT_PORT,
  CONDUIT_SERVER_NAME,
  CONDUIT_ADDRESS,
} = process.env;
const told = Object.entries(process.env).filter(([name]) => /^(?:CONDUIT|ROOKERY)_/.test(name));
writeFileSync(join(folder, "told.json"), JSON.stringify({ pid: process.pid, ...Object.fromEntries(told) }));
process.once("SIGTERM", () => {
  writeFileSync(join(folder, "terminated"), String(process.pid));
  process.exit(0);
});
await openHomeserver({
  serverName: CONDUIT_SERVER_NAME ?? "",
  database: join(folder, "stand-in.db"),
  mediaFolder: join(folder, "media"),
  migrations: new URL("../../src/homeserver/migrations/", import.meta.url),
  host: CONDUIT_ADDRESS ?? "",
  ports: [Number(CONDUIT_PORT)],
  publicUrl: undefined,
  isRegistrationOpen: process.env.CONDUIT_ALLOW_REGISTRATION === "true",
  limits: { writesPerSecond: 0, waiting: 100, waitingPerUser: 10, mediaBytes: 1_000_000 },
  clock: () => Date.now(),
  log: silentLog,
});
console.log(`listening on ${CONDUIT_PORT}`);
