import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DaemonContext } from "../runtime/context.ts";
import type { HookCounter } from "../runtime/hook-counter.ts";
import type { Metrics } from "../runtime/metrics.ts";
import { type Bell, type BellDeps, openBell } from "./bell.ts";
import type { Contributor } from "./hook-reply.ts";
import { type Ingest, openIngest } from "./ingest.ts";
import { type Intake, type IntakeDeps, openIntake } from "./intake.ts";
import { openPreparation, type Preparation } from "./preparation.ts";
import { openSpool, type Spool } from "./spool.ts";

export interface Capture {
  spool: Spool;
  preparation: Preparation;
  ingest: Ingest;
  intake: Intake;
  bell: Bell;
  firstSweep: FirstSweep;
}

/** Stores the events that were spooled while no daemon ran. */
interface FirstSweep {
  start(): void;
  stop(): Promise<unknown>;
}

interface CaptureDeps extends DaemonContext {
  /** In the order in which they may use the reply's limited space. */
  contributors: readonly Contributor[];
  recall: IntakeDeps["recall"];
  asking: IntakeDeps["asking"] & BellDeps["asking"];
  runCommand: IntakeDeps["runCommand"];
  monitors: BellDeps["monitors"];
  metrics: Metrics;
  hookCounter: HookCounter;
}

/** Builds the path of a hook event from its spool file into the store, and of the reply back. */
export function openCapture(deps: CaptureDeps): Capture {
  const { home, config } = deps;
  const spool = openSpool(home.spool, home.rejected);
  const { fieldBytes: fieldLimit, exclude } = config.capture;
  const preparation = openPreparation(
    { fieldLimit, exclude },
    new URL("./prepare-worker.js", import.meta.url),
  );
  const ingest = openIngest(deps);
  const intake = openIntake({
    ...deps,
    spool,
    preparation,
    ingest,
    breakerFile: home.breaker,
    spoolFullFile: home.spoolFull,
  });
  const bell = openBell({ ...deps, intake, replyFolder: home.reply, bellFile: home.bell });
  return { spool, preparation, ingest, intake, bell, firstSweep: openFirstSweep(home.reply, intake) };
}

function openFirstSweep(replyFolder: string, intake: Intake): FirstSweep {
  let swept = Promise.resolve(0);
  return {
    start() {
      // Delete the replies of an earlier daemon: their hooks have exited.
      for (const file of readdirSync(replyFolder)) rmSync(join(replyFolder, file), { force: true });
      swept = intake.sweep();
    },
    stop: () => swept,
  };
}
