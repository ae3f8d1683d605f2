import { workerData } from "node:worker_threads";
import { makeExclusion } from "../../domain/capture/exclude.ts";
import { prepareEvent } from "../../domain/capture/prepare-event.ts";
import type { PreparationSettings } from "../capture/preparation.ts";
import { serveJobs } from "../runtime/serve-jobs.ts";

/** The worker's side of `openPreparation`. */
export function servePreparation(): void {
  const { fieldLimit, exclude } = workerData as PreparationSettings;
  const options = { fieldLimit, exclusion: makeExclusion(exclude) };
  serveJobs({ prepare: (raw: Uint8Array) => prepareEvent(raw, options) });
}
