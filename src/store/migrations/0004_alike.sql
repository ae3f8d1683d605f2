-- The branch a session began on, as far as it is known.
ALTER TABLE sessions ADD COLUMN branch TEXT;

-- Small sketches of what a note says: notes that share one may say the same.
CREATE TABLE memory_sketches (
  sketch INTEGER NOT NULL,
  row    INTEGER NOT NULL REFERENCES memory_rows(rowid) ON DELETE CASCADE,
  PRIMARY KEY (sketch, row)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_sketches_by_row ON memory_sketches(row);
