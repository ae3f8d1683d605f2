-- Deletions in progress: if the daemon is killed, it completes them at its next start.
CREATE TABLE forgettings (
  id         INTEGER PRIMARY KEY,
  target     TEXT,                  -- JSON, with the words to delete; NULL once the rows are deleted
  erasure    TEXT,                  -- JSON: the part that the homeserver has not done yet
  started_at INTEGER NOT NULL
) STRICT;

-- An open question that was forgotten is deleted once it is settled.
ALTER TABLE questions ADD COLUMN forget_when_over INTEGER NOT NULL DEFAULT 0;
CREATE INDEX questions_to_forget ON questions(settled_at) WHERE forget_when_over = 1;
