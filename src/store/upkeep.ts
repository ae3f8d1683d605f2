import type { Database } from "./sqlite.ts";

/** Work on the file itself, in steps short enough to do between two hooks. */
export interface Upkeep {
  /**
   * Merges the search index a few pages further; false when it is one piece. Only then are the words of removed rows
   * gone from it: a row is removed by a mark, because the index does not keep the text it was made of.
   */
  mergeIndex(isFirst: boolean): boolean;
  /** Moves the log into the database and empties it. False if a reader is in the way. */
  checkpoint(): boolean;
  /** Gives free pages at the end of the file back; false when there are none, or the file is of the old kind. */
  releasePages(): boolean;
  /** Writes the whole database anew: nothing waits meanwhile but everything does. */
  vacuum(): void;
  /** Refreshes what the planner knows about the tables. */
  optimize(): void;
  measure(): { pages: number; freePages: number; pageBytes: number; isIncremental: boolean };
}

const mergePages = 64;
const releaseAtOnce = 64;

export function openUpkeep(db: Database): Upkeep {
  const pragma = (name: string): number => Number(Object.values(db.get(`PRAGMA ${name}`) ?? {})[0] ?? 0);
  const changes = (): number => db.get<{ n: number }>("SELECT total_changes() AS n")?.n ?? 0;
  return {
    mergeIndex(isFirst) {
      const before = changes();
      const pages = isFirst ? -mergePages : mergePages;
      db.run("INSERT INTO memory_fts (memory_fts, rank) VALUES ('merge', ?)", pages);
      // The documented sign: fewer than two changes mean that there was nothing to do.
      return isFirst || changes() - before >= 2;
    },
    checkpoint: () => db.get<{ busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)")?.busy === 0,
    releasePages() {
      if (pragma("auto_vacuum") !== 2 || pragma("freelist_count") === 0) return false;
      db.script(`PRAGMA incremental_vacuum(${releaseAtOnce})`);
      return pragma("freelist_count") > 0;
    },
    vacuum: () => db.script("PRAGMA auto_vacuum = INCREMENTAL; VACUUM"),
    optimize: () => db.script("PRAGMA optimize"),
    measure: () => ({
      ...{ pages: pragma("page_count"), freePages: pragma("freelist_count"), pageBytes: pragma("page_size") },
      isIncremental: pragma("auto_vacuum") === 2,
    }),
  };
}
