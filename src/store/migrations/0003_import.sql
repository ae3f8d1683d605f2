-- Transcripts that were read, and how far. `size` and `mtime` are those of the file when all of it had been read; NULL before.
CREATE TABLE imported_files (
  path        TEXT PRIMARY KEY,
  byte        INTEGER NOT NULL,     -- where the turn begins that is to be read next
  size        INTEGER,
  mtime       INTEGER,
  since       INTEGER NOT NULL,     -- what ended before was left out
  imported_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The uuid of the prompt's line: the same in every resumed, forked or branched transcript.
ALTER TABLE turns ADD COLUMN transcript_key TEXT;
CREATE UNIQUE INDEX turns_by_key ON turns(transcript_key) WHERE transcript_key IS NOT NULL;

-- How far a session's own transcript was compared with what its hooks told.
ALTER TABLE sessions ADD COLUMN transcript_byte INTEGER NOT NULL DEFAULT 0;

-- `via` may also be 'transcript': the hook never came, the transcript told it.
CREATE TABLE events_next (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  event       TEXT NOT NULL,
  session_id  TEXT NOT NULL REFERENCES sessions(id),
  turn_id     TEXT REFERENCES turns(id),
  subagent_id TEXT,
  tool_name   TEXT,
  tool_use_id TEXT,
  payload     TEXT NOT NULL,
  bytes       INTEGER NOT NULL,
  via         TEXT NOT NULL CHECK (via IN ('hook', 'spool', 'api', 'transcript')),
  occurred_at INTEGER NOT NULL,
  stored_at   INTEGER NOT NULL,
  origin      TEXT NOT NULL
) STRICT;
INSERT INTO events_next (seq, id, event, session_id, turn_id, subagent_id, tool_name, tool_use_id, payload, bytes, via,
  occurred_at, stored_at, origin)
SELECT seq, id, event, session_id, turn_id, subagent_id, tool_name, tool_use_id, payload, bytes, via,
  occurred_at, stored_at, origin FROM events;
DROP TABLE events;
ALTER TABLE events_next RENAME TO events;
CREATE INDEX events_by_session ON events(session_id, occurred_at);
CREATE UNIQUE INDEX events_by_tool_use ON events(session_id, tool_use_id, event) WHERE tool_use_id IS NOT NULL;
