/** What a look at the files of the database tells, with or without a daemon: `dist/inspect.js look`. */
export interface Inspection {
  sqlite: string;
  /** Whether this SQLite has the full-text search that memory is built on. */
  hasFullText: boolean;
  /** The newest schema that this build knows. */
  knownSchema: number;
  /** Null where there is none yet. */
  database: DatabaseFacts | null;
  /** Why it could not be read. */
  error: string | null;
  transcripts: {
    /** Neither imported nor told by hooks, and soon deleted by Claude Code. */
    expiring: number;
    cleanupDays: number;
  };
}

export interface DatabaseFacts {
  schema: number;
  lastEventAt: number | null;
  /** Rows among the newest that were stored later than now. */
  fromFuture: number;
  /** The processes of sessions that are not known to have ended. */
  hostPids: number[];
}

/** `dist/inspect.js check FILE`: null where SQLite finds nothing wrong. */
export interface IntegrityVerdict {
  damage: string | null;
}
