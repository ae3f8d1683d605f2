import type { Environment } from "../../config/environment.ts";
import type { Home } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";
import type { Bus } from "./bus.ts";

/** Dependencies of nearly every component of the daemon. */
export interface DaemonContext {
  home: Home;
  environment: Environment;
  config: Config;
  store: Store;
  bus: Bus;
  log: Log;
  clock: Clock;
  /** The number of hooks that wait for an answer; background work gives way to them. */
  waitingHooks(): number;
}
