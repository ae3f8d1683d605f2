-- What is being forgotten, until no trace is left: a daemon that is killed meanwhile finishes it at its next start.
CREATE TABLE forgettings (
  id         INTEGER PRIMARY KEY,
  target     TEXT,                  -- JSON, with the words that are to go; NULL as soon as the rows are gone
  erasure    TEXT,                  -- JSON: what the homeserver has not been told yet
  started_at INTEGER NOT NULL
) STRICT;

-- One that was to be forgotten while it was open goes when it is over.
ALTER TABLE questions ADD COLUMN forget_when_over INTEGER NOT NULL DEFAULT 0;
CREATE INDEX questions_to_forget ON questions(settled_at) WHERE forget_when_over = 1;
