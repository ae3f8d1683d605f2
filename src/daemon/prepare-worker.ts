import { parentPort } from "node:worker_threads";
import { prepareEvent } from "../domain/capture/prepare-event.ts";
import { toAppError } from "../shared/errors.ts";
import type { PrepareAnswer, PrepareRequest } from "./preparation.ts";

/** The worker's side of `openPreparation`. */
export function servePreparation(): void {
  parentPort?.on("message", ({ job, raw, fieldLimit }: PrepareRequest) => {
    parentPort?.postMessage(answer(job, raw, fieldLimit));
  });
}

function answer(job: number, raw: Uint8Array, fieldLimit: number): PrepareAnswer {
  try {
    return { job, prepared: prepareEvent(raw, fieldLimit) };
  } catch (error) {
    const { code, message } = toAppError(error);
    return { job, error: { code, message } };
  }
}
