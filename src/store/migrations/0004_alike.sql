-- The branch on which a session started, if known.
ALTER TABLE sessions ADD COLUMN branch TEXT;

-- Sketches of a note's text: notes that share one may be near-duplicates.
CREATE TABLE memory_sketches (
  sketch INTEGER NOT NULL,
  row    INTEGER NOT NULL REFERENCES memory_rows(rowid) ON DELETE CASCADE,
  PRIMARY KEY (sketch, row)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_sketches_by_row ON memory_sketches(row);
