import type { ImportJobs } from "../import/import-jobs.ts";
import { constants, setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import { makeExclusion } from "../../domain/capture/exclude.ts";
import { AppError } from "../../shared/errors.ts";
import { serveJobs } from "../runtime/job-worker.ts";
import { readJsonl } from "../import/read-jsonl.ts";
import { readClaudeMem } from "../../store/claude-mem-reader.ts";
import { readBeginning } from "../transcripts/find-transcripts.ts";
import { openTranscriptReader, type TranscriptReader } from "../transcripts/transcript-reader.ts";

/** Reads files for an import, off the main thread. */
export function serveImport(): void {
  // On Linux this affects only this thread: on a busy machine hooks and their replies have priority.
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const { exclude } = workerData as { exclude: readonly string[] };
  const exclusion = makeExclusion(exclude);
  let reader: TranscriptReader | undefined;
  serveJobs<ImportJobs>({
    readBeginnings: (files) => files.map(readBeginning),
    open(files) {
      reader?.close();
      reader = openTranscriptReader(files, exclusion);
    },
    next() {
      if (!reader) throw new AppError("internal", "nothing is open");
      return reader.next();
    },
    claudeMem: ({ path, place }) => readClaudeMem(path, place),
    jsonl: readJsonl,
    close() {
      reader?.close();
      reader = undefined;
    },
  });
}
