import { closeSync, fsync, openSync } from "node:fs";
import { promisify } from "node:util";
import { countPages, scrubPages } from "./scrub-pages.ts";
import { type Database, sqliteCode } from "./sqlite.ts";
import { fileSize } from "../shared/regular-file.ts";

/** Maintenance of the database file, in steps short enough to run between two hooks. */
export interface Upkeep {
  /**
   * Merges a few more pages of the search index; false once it is a single segment. Until then it still contains
   * words of removed rows: the index does not store the text it was built from, so a removal only adds a delete
   * marker.
   */
  mergeIndex(isFirst: boolean): boolean;
  /** Moves the WAL into the database and truncates it. Returns false instead of waiting if a reader blocks it. */
  checkpoint(): boolean;
  /**
   * Overwrites the unused parts of a few pages, from `upTo` (initially the last page) downwards, because pages are
   * only ever moved down. Returns the page to continue from, 0 at the end; undefined if another connection blocks it.
   */
  scrub(upTo?: number): { next: number; scrubbed: number } | undefined;
  /** Resolves when the overwritten pages are on disk. */
  sync(): Promise<void>;
  /** Returns free pages at the end of the file to the system; false if there are none or the file has no auto-vacuum. */
  releasePages(): boolean;
  /** Rewrites the entire database, so that it can release pages. Blocks all writes: only at startup, before clients connect. */
  rewrite(): void;
  /** Updates the query planner's statistics. */
  optimize(): void;
  measure(): { pages: number; freePages: number; pageBytes: number; isIncremental: boolean };
  close(): void;
}

const BUSY = 5;
const mergePages = 64;
const releaseAtOnce = 64;
const scrubAtOnce = 256;

interface UpkeepOptions {
  path: string;
  /** The full-text search table. */
  index: string;
}

export function openUpkeep(db: Database, { path, index }: UpkeepOptions): Upkeep {
  const pragma = (name: string): number => Number(Object.values(db.get(`PRAGMA ${name}`) ?? {})[0] ?? 0);
  const changes = (): number => db.get<{ n: number }>("SELECT total_changes() AS n")?.n ?? 0;
  // Stays open as long as the database: closing any handle on the file would release SQLite's locks (POSIX).
  let file: number | undefined;
  const open = (): number => (file ??= openSync(path, "r+"));

  function withoutWaiting<T>(work: () => T): T {
    const patienceMs = pragma("busy_timeout");
    db.script("PRAGMA busy_timeout = 0");
    try {
      return work();
    } finally {
      db.script(`PRAGMA busy_timeout = ${patienceMs}`);
    }
  }

  function checkpoint(): boolean {
    return withoutWaiting(() => db.get<{ busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)")?.busy === 0);
  }

  /** Keeps other connections from writing. Returns false if one is already writing. */
  function beginWriting(): boolean {
    try {
      withoutWaiting(() => db.script("BEGIN IMMEDIATE"));
      return true;
    } catch (error) {
      if (sqliteCode(error) === BUSY) return false;
      throw error;
    }
  }

  function isLogEmpty(): boolean {
    return fileSize(`${path}-wal`) === 0;
  }

  return {
    mergeIndex(isFirst) {
      const before = changes();
      const pages = isFirst ? -mergePages : mergePages;
      db.run(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ?)`, pages);
      // As documented: fewer than two changes mean that there was nothing left to merge.
      return isFirst || changes() - before >= 2;
    },
    checkpoint,
    scrub(upTo) {
      if (!checkpoint() || !beginWriting()) return undefined;
      try {
        // Another connection may have written since the checkpoint: then pages in the file are out of date.
        if (!isLogEmpty()) return undefined;
        const last = upTo ?? countPages(open());
        const from = Math.max(1, last - scrubAtOnce + 1);
        const scrubbed = scrubPages(open(), { from, count: last - from + 1 });
        return { next: from - 1, scrubbed };
      } finally {
        // Cached pages still hold the old bytes and would be written back with the next change of the page.
        db.script("ROLLBACK; PRAGMA shrink_memory");
      }
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
