import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { removeBackup } from "../../sqlite/backup.ts";
import type { Store } from "../../store/open-store.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { repeat } from "../runtime/repeat.ts";
import { dayMs } from "../../shared/clock.ts";
import type { DaemonContext } from "../runtime/context.ts";

export interface DailyJobs {
  /** The result of `quick_check`; undefined if the database is sound. */
  findDamage(): string | undefined;
  backUp(target: string): void;
}

/** Checks the database after an unclean shutdown and once a day, and backs it up if it is sound. */
export interface DailyChecks {
  /** Runs the checks that are due. */
  run(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export interface DailyDeps extends Pick<DaemonContext, "log" | "clock"> {
  store: Pick<Store, "meta" | "reportDamage">;
  worker: Pick<JobWorker<DailyJobs>, "call">;
  database: string;
  /** Path of the only backup; the next one replaces it. */
  backup: string;
  keepsBackup: boolean;
  /** The previous daemon did not close the database. */
  wasUnclean: boolean;
  /**
   * Runs the work while nothing is being forgotten: a backup could still contain the text, and a check could read an
   * index while it is rewritten.
   */
  runAlone<T>(work: () => Promise<T>): Promise<T>;
}

const everyMs = 3_600_000;
/** A daemon starts because a session starts, whose first prompts should not compete with a copy of the whole database. */
const firstAfterMs = 15_000;
/** After an unclean shutdown the database may be damaged, and every event until the check would be lost with it. */
const suspectAfterMs = 2_000;
const checkedKey = "checked-at";

export function openDailyChecks(deps: DailyDeps): DailyChecks {
  const { store, log, clock, worker, database, backup } = deps;
  let isSuspect = deps.wasUnclean;
  let timer: { stop(): void } | undefined;
  let first: NodeJS.Timeout | undefined;
  let running = Promise.resolve();

  /** A time in the future counts as never: the clock was wrong when it was recorded. */
  const isDue = (at: number | undefined): boolean =>
    at === undefined || at > clock() || clock() - at >= dayMs;
  const backupAt = (): number | undefined => statSync(backup, { throwIfNoEntry: false })?.mtimeMs;

  async function check(): Promise<boolean> {
    if (!isSuspect && !isDue(Number(store.meta.get(checkedKey) ?? "0"))) return true;
    const damage = await deps.runAlone(() => worker.call.findDamage(undefined));
    if (damage !== undefined) {
      store.reportDamage(damage);
      return false;
    }
    isSuspect = false;
    store.meta.set(checkedKey, String(clock()));
    return true;
  }

  async function copy(): Promise<void> {
    const bytes = statSync(database).size;
    const { bavail, bsize } = statfsSync(dirname(backup));
    if (bavail * bsize < 2 * bytes) return log.warn("no backup: the disk is nearly full", { bytes });
    await worker.call.backUp(backup);
    log.info("database backed up", { bytes: statSync(backup).size });
  }

  async function runDue(): Promise<void> {
    if (!(await check())) return;
    if (!deps.keepsBackup) removeBackup(backup);
    else if (isDue(backupAt())) await deps.runAlone(copy);
  }

  function run(): Promise<void> {
    running = running.then(runDue).catch((error: unknown) => log.error("daily check failed", { error }));
    return running;
  }

  return {
    run,
    start() {
      first = setTimeout(() => void run(), isSuspect ? suspectAfterMs : firstAfterMs).unref();
      timer = repeat(everyMs, () => void run(), log);
    },
    async stop() {
      clearTimeout(first);
      timer?.stop();
      await running;
    },
  };
}
