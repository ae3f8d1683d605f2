-- Rows that were indexed before Chinese, Japanese and Korean text was split into pairs of characters. The daemon reindexes
-- them in the background, in row order, and then deletes this line.
CREATE TABLE reindexing (
  next  INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT;
INSERT INTO reindexing (next, until)
SELECT 1, (SELECT max(rowid) FROM memory_rows) WHERE EXISTS (SELECT 1 FROM memory_rows);

-- How often a note was shown at a prompt, and how often the agent then used it.
CREATE TABLE recall_outcomes (
  observation_id TEXT PRIMARY KEY REFERENCES observations(id) ON DELETE CASCADE,
  shown          INTEGER NOT NULL,
  used           INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
