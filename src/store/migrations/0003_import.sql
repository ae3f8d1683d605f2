-- Transcripts that were read, and how far. `size` and `mtime` are those of the completely read file; NULL until then.
CREATE TABLE imported_files (
  path        TEXT PRIMARY KEY,
  byte        INTEGER NOT NULL,     -- start of the next turn to read
  size        INTEGER,
  mtime       INTEGER,
  since       INTEGER NOT NULL,     -- turns that ended earlier were skipped
  imported_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The uuid of the prompt's line, which is the same in every resumed, forked or branched transcript.
ALTER TABLE turns ADD COLUMN transcript_key TEXT;
CREATE UNIQUE INDEX turns_by_key ON turns(transcript_key) WHERE transcript_key IS NOT NULL;

-- The position up to which the session's transcript was compared with its hook events.
ALTER TABLE sessions ADD COLUMN transcript_byte INTEGER NOT NULL DEFAULT 0;

-- `via` may also be 'transcript': no hook reported the event, it was read from the transcript.
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
