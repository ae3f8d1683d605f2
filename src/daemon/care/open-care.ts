import type { Handlers } from "../../http/handlers.ts";
import type { ForgetReport, ForgetRequest } from "../../protocol/care.ts";
import type { HubForgotten } from "../../protocol/hub.ts";
import type { careEndpoints } from "../../protocol/endpoints/care.ts";
import { removeBackup } from "../../sqlite/backup.ts";
import { openFolders } from "../folders/folders.ts";
import { openJobWorker } from "../runtime/job-worker.ts";
import type { DaemonContext } from "../runtime/context.ts";
import { openGit } from "../identity/git.ts";
import { type DailyJobs, openDailyChecks } from "./daily-checks.ts";
import { openCompactor } from "./compactor.ts";
import { type ExportJobs, makeExporter } from "./exporter.ts";
import { openForgetResumer } from "./forget-resumer.ts";
import { type ForgetJobs, openForgetter } from "./forgetter.ts";
import { type FileJobs, openHomeFiles } from "./home-files.ts";
import type { MatrixEraser } from "../matrix/matrix-eraser.ts";
import { openRetention, type Retention, type RetentionJobs } from "./retention.ts";

export interface CareParts {
  handlers: Handlers<typeof careEndpoints>;
  retention: Retention;
  /** Removes every trace of notes that were forgotten on another machine. */
  forgetNotes(ids: readonly string[]): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

interface CarePartsDeps extends DaemonContext {
  matrix: MatrixEraser;
  /** Stores the spooled events. */
  sweep(): Promise<number>;
  /** The previous daemon did not close the database. */
  wasUnclean: boolean;
  /** How far a deletion that began at this time has reached on the hub. */
  reportHub(since: number): Promise<HubForgotten | null>;
}

/** Jobs that may read the entire database. */
export type CareJobs = ForgetJobs & FileJobs & RetentionJobs & ExportJobs & DailyJobs;

const workerIdleMs = 5_000;

/** Creates the components for deletion, retention, compaction, export and the `CLAUDE.md` sections of folders. */
export function openCare(deps: CarePartsDeps): CareParts {
  const { home, environment, config, log, clock } = deps;
  const worker = openJobWorker<CareJobs>(
    new URL("./care-worker.js", import.meta.url),
    { database: home.database },
    workerIdleMs,
  );
  const folders = openFolders({
    ...deps,
    git: openGit(environment),
    maxNotes: config.folders.notes,
  });
  const forgetter = openForgetter({
    ...deps,
    worker,
    files: openHomeFiles(home, worker, log),
    dropBackup: () => removeBackup(home.backup),
    refreshFolders: folders.refresh,
  });
  const forgetResumer = openForgetResumer({ ...deps, forgetter });
  const retention = openRetention({ ...deps, worker, settings: config.retention });
  const compactor = openCompactor({ ...deps, retention, database: home.database });
  const daily = openDailyChecks({
    ...deps,
    worker,
    database: home.database,
    backup: home.backup,
    keepsBackup: config.retention.dailyBackup,
    runAlone: forgetter.runExclusive,
  });
  const exportLines = makeExporter({ ...deps, worker });
  async function forget(request: ForgetRequest): Promise<ForgetReport> {
    const startedAt = clock();
    const report = await forgetter.forget(request);
    return request.dryRun ? report : { ...report, hub: await deps.reportHub(startedAt) };
  }

  return {
    handlers: {
      forget: ({ body }) => forget(body),
      forgetNote: async ({ params: { id } }) => ({
        forgotten: true,
        ...(await forget({ ids: [id], dryRun: false })),
      }),
      changeFolders: ({ body }) => folders.run(body),
      listFolderFiles: folders.list,
      startCompacting: compactor.start,
      getCompacting: compactor.state,
      exportMemory: ({ query }) => exportLines(query),
    },
    retention,
    async forgetNotes(ids) {
      const documents = ids.map((id) => ({ kind: "observation" as const, id }));
      await forgetter.forgetTarget({ by: "documents", documents });
    },
    start() {
      retention.start();
      folders.start();
      forgetResumer.start();
      daily.start();
    },
    async stop() {
      await daily.stop();
      forgetResumer.stop();
      retention.stop();
      await folders.stop();
      await compactor.stop();
      await worker.close();
    },
  };
}
