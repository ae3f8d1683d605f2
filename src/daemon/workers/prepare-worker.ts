import { workerData } from "node:worker_threads";
import { makeExclusion } from "../../domain/capture/exclude.ts";
import { prepareEvent } from "../../domain/capture/prepare-event.ts";
import type { PreparationJobs, PreparationSettings } from "../capture/preparation.ts";
import { serveJobs } from "../runtime/job-worker.ts";
import { hostFor } from "../../hosts/hosts.ts";

/** The worker's side of `openPreparation`. */
export function servePreparation(): void {
  const { fieldLimit, exclude } = workerData as PreparationSettings;
  const options = { fieldLimit, exclusion: makeExclusion(exclude) };
  serveJobs<PreparationJobs>({
    prepare: ({ raw, event, host }) => prepareEvent(raw, event, hostFor(host), options),
  });
}
