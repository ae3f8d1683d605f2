import { configChecks } from "./check-config.ts";
import { daemonChecks } from "./check-daemon.ts";
import { homeChecks } from "./check-home.ts";
import { hookChecks } from "./check-hooks.ts";
import { logChecks } from "./check-log.ts";
import { machineChecks } from "./check-machine.ts";
import { pluginChecks } from "./check-plugin.ts";
import { processChecks } from "./check-processes.ts";
import { reachChecks } from "./check-reach.ts";
import { runtimeChecks } from "./check-runtime.ts";
import { socketChecks } from "./check-sockets.ts";
import { storeChecks } from "./check-store.ts";
import type { CheckGroup } from "./finding.ts";

/** The table of contents of `rookery doctor`, in the order in which things depend on each other. */
export const checkGroups: readonly CheckGroup[] = [
  { name: "Runtime", checks: runtimeChecks },
  { name: "Machine", checks: machineChecks },
  { name: "Home", checks: homeChecks },
  { name: "Settings", checks: configChecks },
  { name: "Daemon", checks: [...daemonChecks, ...socketChecks, ...processChecks, ...logChecks] },
  { name: "Store", checks: storeChecks },
  { name: "Hooks", checks: hookChecks },
  { name: "Claude Code", checks: pluginChecks },
  { name: "Reach", checks: reachChecks },
];
