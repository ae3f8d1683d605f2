import { type PreparedEvent, prepareEvent } from "../domain/capture/prepare-event.ts";
import { openJobWorker } from "./job-worker.ts";

/** Turns raw payloads into events; large ones in a worker, so that 50 MB of JSON does not stop the bell. */
export interface Preparation {
  prepare(raw: Uint8Array): PreparedEvent | Promise<PreparedEvent>;
  close(): Promise<void>;
}

const largeBytes = 256 * 1024;
const idleMs = 10_000;
const timeoutMs = 60_000;

export function openPreparation(fieldLimit: number, workerUrl: URL): Preparation {
  const worker = openJobWorker(workerUrl, { fieldLimit }, idleMs);
  return {
    prepare(raw) {
      if (raw.byteLength <= largeBytes) return prepareEvent(raw, fieldLimit);
      // Moved, not copied: nobody else reads it.
      return worker.run<PreparedEvent>("prepare", raw, { timeoutMs, transfer: [raw.buffer as ArrayBuffer] });
    },
    close: () => worker.close(),
  };
}
