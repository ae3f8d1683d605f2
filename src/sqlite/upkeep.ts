import { closeSync, fsync, openSync } from "node:fs";
import { promisify } from "node:util";
import { countPages, scrubPages } from "./scrub-pages.ts";
import type { Database } from "./sqlite.ts";

/** Work on the file itself, in steps short enough to do between two hooks. */
export interface Upkeep {
  /**
   * Merges the search index a few pages further; false when it is one piece. Only then are the words of removed rows
   * gone from it: a row is removed by a mark, because the index does not keep the text it was made of.
   */
  mergeIndex(isFirst: boolean): boolean;
  /** Moves the log into the database and empties it. False if a reader is in the way: it is not waited for. */
  checkpoint(): boolean;
  /**
   * Overwrites the unused parts of a few pages, from `upTo` (at first the last one) down: pages are only ever moved that
   * way. Returns where to go on, 0 at the end; undefined if a reader is in the way.
   */
  scrub(upTo?: number): { next: number; scrubbed: number } | undefined;
  /** Resolves when what was overwritten is so on the disk. */
  sync(): Promise<void>;
  /** Gives free pages at the end of the file back; false when there are none, or the file is of the old kind. */
  releasePages(): boolean;
  /** Writes the whole database anew, so that it can give pages back. Nobody can write meanwhile: for a start, when nobody waits. */
  rewrite(): void;
  /** Refreshes what the planner knows about the tables. */
  optimize(): void;
  measure(): { pages: number; freePages: number; pageBytes: number; isIncremental: boolean };
  close(): void;
}

const mergePages = 64;
const releaseAtOnce = 64;
const scrubAtOnce = 256;

export interface UpkeepOptions {
  path: string;
  /** The table of the search index. */
  index: string;
}

export function openUpkeep(db: Database, { path, index }: UpkeepOptions): Upkeep {
  const pragma = (name: string): number => Number(Object.values(db.get(`PRAGMA ${name}`) ?? {})[0] ?? 0);
  const changes = (): number => db.get<{ n: number }>("SELECT total_changes() AS n")?.n ?? 0;
  // Kept open as long as the database is: the system drops SQLite's locks on a file when any handle on it is closed.
  let file: number | undefined;
  const open = (): number => (file ??= openSync(path, "r+"));

  function checkpoint(): boolean {
    const patienceMs = pragma("busy_timeout");
    db.script("PRAGMA busy_timeout = 0");
    try {
      return db.get<{ busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)")?.busy === 0;
    } finally {
      db.script(`PRAGMA busy_timeout = ${patienceMs}`);
    }
  }

  return {
    mergeIndex(isFirst) {
      const before = changes();
      const pages = isFirst ? -mergePages : mergePages;
      db.run(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ?)`, pages);
      // The documented sign: fewer than two changes mean that there was nothing to do.
      return isFirst || changes() - before >= 2;
    },
    checkpoint,
    scrub(upTo) {
      if (!checkpoint()) return undefined;
      const last = upTo ?? countPages(open());
      const from = Math.max(1, last - scrubAtOnce + 1);
      const scrubbed = scrubPages(open(), { from, count: last - from + 1 });
      // What we have in memory is as it was, and would be written back with the next change of the page.
      db.script("PRAGMA shrink_memory");
      return { next: from - 1, scrubbed };
    },
    sync: () => promisify(fsync)(open()),
    releasePages() {
      if (pragma("auto_vacuum") !== 2 || pragma("freelist_count") === 0) return false;
      db.script(`PRAGMA incremental_vacuum(${releaseAtOnce})`);
      return pragma("freelist_count") > 0;
    },
    rewrite: () => db.script("PRAGMA auto_vacuum = INCREMENTAL; VACUUM"),
    optimize: () => db.script("PRAGMA optimize"),
    measure: () => ({
      pages: pragma("page_count"),
      freePages: pragma("freelist_count"),
      pageBytes: pragma("page_size"),
      isIncremental: pragma("auto_vacuum") === 2,
    }),
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
