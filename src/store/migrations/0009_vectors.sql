-- Row numbers are never reused, so that vectors can refer to them; and texts of any kind
-- can be searched, not only those with a table of their own.
CREATE TABLE memory_rows_next (
  rowid      INTEGER PRIMARY KEY AUTOINCREMENT,
  kind       TEXT NOT NULL,
  ref        TEXT NOT NULL,
  project_id TEXT NOT NULL,
  session_id TEXT,
  type       TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (kind, ref)
) STRICT;
INSERT INTO memory_rows_next (rowid, kind, ref, project_id, session_id, type, created_at)
SELECT rowid, kind, ref, project_id, session_id, type, created_at FROM memory_rows;
CREATE TABLE memory_files_next (
  path      TEXT NOT NULL,
  row       INTEGER NOT NULL REFERENCES memory_rows_next(rowid) ON DELETE CASCADE,
  PRIMARY KEY (path, row)
) STRICT, WITHOUT ROWID;
INSERT INTO memory_files_next (path, row) SELECT path, row FROM memory_files;
CREATE TABLE memory_sketches_next (
  sketch INTEGER NOT NULL,
  row    INTEGER NOT NULL REFERENCES memory_rows_next(rowid) ON DELETE CASCADE,
  PRIMARY KEY (sketch, row)
) STRICT, WITHOUT ROWID;
INSERT INTO memory_sketches_next (sketch, row) SELECT sketch, row FROM memory_sketches;
DROP TABLE memory_sketches;
DROP TABLE memory_files;
DROP TABLE memory_rows;
ALTER TABLE memory_rows_next RENAME TO memory_rows;
ALTER TABLE memory_files_next RENAME TO memory_files;
ALTER TABLE memory_sketches_next RENAME TO memory_sketches;
CREATE INDEX memory_files_by_row ON memory_files(row);
CREATE INDEX memory_sketches_by_row ON memory_sketches(row);

-- The text of kinds that have no table of their own.
CREATE TABLE memory_texts (
  row   INTEGER PRIMARY KEY REFERENCES memory_rows(rowid) ON DELETE CASCADE,
  title TEXT NOT NULL,
  body  TEXT NOT NULL
) STRICT;

-- The meaning of a text as a vector. `progress` is the last row that was embedded: rows are processed in order.
CREATE TABLE vector_models (
  id         INTEGER PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL,
  progress   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE memory_vectors (
  row    INTEGER PRIMARY KEY REFERENCES memory_rows(rowid) ON DELETE CASCADE,
  model  INTEGER NOT NULL REFERENCES vector_models(id),
  vector BLOB NOT NULL              -- a signed byte for each dimension
) STRICT;
