import { fileURLToPath } from "node:url";
import { makeDaemonEnvironment, readEnvironment } from "../config/environment.ts";
import { locateHome, prepareHome } from "../config/home.ts";
import { readHandover } from "../mcp/handover.ts";
import { serveMcp } from "../mcp/main.ts";
import { build } from "../shared/build.ts";
import { silentLog } from "../shared/log.ts";

const environment = readEnvironment();
const home = locateHome(environment);
try {
  prepareHome(home);
} catch {
  // The tools report a broken home; `initialize` must succeed anyway.
}
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => process.exit(0));
await serveMcp({
  startOptions: {
    address: home,
    home,
    environment: makeDaemonEnvironment(environment),
    daemonScript: fileURLToPath(new URL("./daemon.js", import.meta.url)),
    build,
  },
  hostPid: process.ppid,
  sessionArgument: environment.ROOKERY_SESSION_ARGUMENT,
  version: build.version,
  log: silentLog,
  handover: readHandover(process.argv.slice(2)),
});
process.exit(0);
