import { makeExclusion } from "../../domain/capture/exclude.ts";
import { type PreparedEvent, prepareEvent } from "../../domain/capture/prepare-event.ts";
import { openJobWorker } from "../runtime/job-worker.ts";
import { hostFor, type NamedEvent } from "../../hosts/hosts.ts";

/** Turns raw payloads into events; large ones in a worker, so that 50 MB of JSON does not block the bell. */
export interface Preparation {
  prepare(raw: Uint8Array, name: NamedEvent): PreparedEvent | Promise<PreparedEvent>;
  close(): Promise<void>;
}

const largeBytes = 256 * 1024;
const idleMs = 10_000;
const timeoutMs = 60_000;

/** The worker's settings. */
export interface PreparationSettings {
  fieldLimit: number;
  /** Patterns of files whose content is never stored. */
  exclude: readonly string[];
}

interface PrepareJob extends NamedEvent {
  raw: Uint8Array;
}

export interface PreparationJobs {
  prepare(job: PrepareJob): PreparedEvent;
}

export function openPreparation(settings: PreparationSettings, workerUrl: URL): Preparation {
  const worker = openJobWorker<PreparationJobs>(workerUrl, settings, idleMs);
  const options = { fieldLimit: settings.fieldLimit, exclusion: makeExclusion(settings.exclude) };
  return {
    prepare(raw, { event, host }) {
      if (raw.byteLength <= largeBytes) return prepareEvent(raw, event, hostFor(host), options);
      // Transferred, not copied: there is no other reader.
      return worker.call.prepare({ raw, event, host }, { timeoutMs, transfer: [raw.buffer as ArrayBuffer] });
    },
    close: () => worker.close(),
  };
}
