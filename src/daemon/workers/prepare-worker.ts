import { workerData } from "node:worker_threads";
import { makeExclusion } from "../../domain/capture/exclude.ts";
import { prepareEvent } from "../../domain/capture/prepare-event.ts";
import type { PreparationSettings, PrepareJob } from "../capture/preparation.ts";
import { serveJobs } from "../runtime/serve-jobs.ts";
import { hostFor } from "../../hosts/hosts.ts";

/** The worker's side of `openPreparation`. */
export function servePreparation(): void {
  const { fieldLimit, exclude } = workerData as PreparationSettings;
  const options = { fieldLimit, exclusion: makeExclusion(exclude) };
  serveJobs({
    prepare: ({ raw, event, host }: PrepareJob) => prepareEvent(raw, event, hostFor(host), options),
  });
}
