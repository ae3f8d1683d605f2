/** The result of `dist/inspect.js look`, which reads the database files with or without a daemon. */
export interface Inspection {
  sqlite: string;
  /** Whether this SQLite has the full-text search that memory is built on. */
  hasFullText: boolean;
  /** The newest schema that this build knows. */
  knownSchema: number;
  /** Null if there is none yet. */
  database: DatabaseFacts | null;
  /** Why it could not be read. */
  error: string | null;
  transcripts: {
    /** Sessions known neither from hooks nor from an import, which Claude Code will soon delete. */
    expiring: number;
    cleanupDays: number;
  };
}

export interface DatabaseFacts {
  schema: number;
  lastEventAt: number | null;
  /** Number of recent rows whose time is in the future. */
  fromFuture: number;
  /** The processes of sessions that are not known to have ended. */
  hostPids: number[];
}

/** `dist/inspect.js check FILE`: null if SQLite finds nothing wrong. */
export interface IntegrityVerdict {
  damage: string | null;
}
