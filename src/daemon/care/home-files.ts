import { closeSync, openSync, readSync, rmSync } from "node:fs";
import { basename, join, sep } from "node:path";
import type { Home } from "../../config/home.ts";
import { type Log, scrubFile } from "../../shared/log.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { type FileSearch, type OpenDescriptors, keepOpen } from "./scan-files.ts";

export interface FileJobs {
  findFilesWith(search: FileSearch): Promise<string[]>;
}

/** Searches and scrubs the files of the home. */
export interface HomeFiles {
  /** Paths relative to the home. */
  find(source: string): Promise<string[]>;
  /** Removes the words from logs and exports, and deletes files that cannot be read line by line. */
  scrub(source: string): Promise<ScrubResult>;
}

interface ScrubResult {
  logLines: number;
  /** Deleted or rewritten files. */
  files: string[];
  /** Ids of uploads that contain the words; the homeserver deletes them. */
  media: string[];
}

export function openHomeFiles(home: Home, worker: JobWorker<FileJobs>, log: Log): HomeFiles {
  const held: OpenDescriptors = {};

  function find(source: string): Promise<string[]> {
    const search: FileSearch = {
      root: home.root,
      source,
      // The copy of the database is deleted as a whole.
      except: [home.lock, home.backup],
      held: keepOpen(held, [home.database, home.matrixDatabase]),
    };
    return worker.call.findFilesWith(search);
  }

  const isIn = (file: string, folder: string): boolean => file.startsWith(`${basename(folder)}${sep}`);

  return {
    find,
    async scrub(source) {
      const pattern = new RegExp(source, "iu");
      const scrubbed: ScrubResult = { logLines: 0, files: [], media: [] };
      scrubbed.logLines = log.scrub(pattern) + scrubFile(home.bootLog, pattern);
      for (const file of await find(source)) {
        const path = join(home.root, file);
        if (isIn(file, home.matrixMedia)) scrubbed.media.push(basename(file));
        // A database that was set aside as damaged cannot be searched row by row.
        else if (
          [home.rejected, home.reply].some((folder) => isIn(file, folder)) ||
          file.includes(".db.damaged-")
        )
          rmSync(path, { force: true });
        else if (isExport(path)) scrubFile(path, pattern);
        else continue;
        if (!isIn(file, home.matrixMedia)) scrubbed.files.push(file);
      }
      return scrubbed;
    },
  };
}

const exportHead = '{"kind":"rookery-export"';

/** An export that was saved in the home itself; it is scrubbed line by line. */
function isExport(path: string): boolean {
  if (!path.endsWith(".jsonl")) return false;
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(exportHead.length);
    return readSync(file, head, 0, head.length, 0) === head.length && head.toString() === exportHead;
  } finally {
    closeSync(file);
  }
}
