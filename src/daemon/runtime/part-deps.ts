import type { Environment } from "../../config/environment.ts";
import type { Home } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";
import type { Bus } from "./bus.ts";

/** What every part of the daemon that works beside the hooks is given. */
export interface PartDeps {
  home: Home;
  environment: Environment;
  config: Config;
  store: Store;
  bus: Bus;
  log: Log;
  clock: Clock;
  /** Hooks that wait for an answer: they go first. */
  waitingHooks(): number;
}
