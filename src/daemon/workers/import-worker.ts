import { constants, setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import { makeExclusion } from "../../domain/capture/exclude.ts";
import { AppError } from "../../shared/errors.ts";
import { serveJobs } from "../runtime/serve-jobs.ts";
import { readJsonl } from "../import/read-jsonl.ts";
import { type ForeignPage, type ForeignPlace, readClaudeMem } from "../../store/claude-mem-reader.ts";
import {
  type FileToRead,
  openTranscriptReader,
  type Piece,
  type TranscriptReader,
} from "../transcripts/transcript-reader.ts";

/** Reads files for an import, off the main thread. */
export function serveImport(): void {
  // On Linux this is the thread alone: hooks and their answers come first on a busy machine.
  if (process.platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const { exclude } = workerData as { exclude: readonly string[] };
  const exclusion = makeExclusion(exclude);
  let reader: TranscriptReader | undefined;
  serveJobs({
    open(files: FileToRead[]): void {
      reader?.close();
      reader = openTranscriptReader(files, exclusion);
    },
    next(): Promise<Piece[]> {
      if (!reader) throw new AppError("internal", "nothing is open");
      return reader.next();
    },
    claudeMem: ({ path, place }: { path: string; place: ForeignPlace | undefined }): ForeignPage =>
      readClaudeMem(path, place),
    jsonl: readJsonl,
    close(): void {
      reader?.close();
      reader = undefined;
    },
  });
}
