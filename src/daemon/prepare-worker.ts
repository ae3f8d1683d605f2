import { workerData } from "node:worker_threads";
import { prepareEvent } from "../domain/capture/prepare-event.ts";
import { serveJobs } from "./serve-jobs.ts";

/** The worker's side of `openPreparation`. */
export function servePreparation(): void {
  const { fieldLimit } = workerData as { fieldLimit: number };
  serveJobs({ prepare: (raw: Uint8Array) => prepareEvent(raw, fieldLimit) });
}
