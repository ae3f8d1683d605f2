-- Notes of others, received through a hub. NULL: made on this machine.
ALTER TABLE observations ADD COLUMN author TEXT;
-- 1: by a machine account, such as a CI job.
ALTER TABLE observations ADD COLUMN by_machine INTEGER NOT NULL DEFAULT 0;

-- Notes of two people that contradict each other: both stay.
CREATE TABLE note_disputes (
  note_id  TEXT NOT NULL REFERENCES observations(id) ON DELETE CASCADE,
  other_id TEXT NOT NULL REFERENCES observations(id) ON DELETE CASCADE,
  PRIMARY KEY (note_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX note_disputes_by_other ON note_disputes(other_id);

-- The projects that the user shares. The id on the hub is asked for once and then kept.
CREATE TABLE hub_projects (
  project_id TEXT PRIMARY KEY,
  hub_id     TEXT NOT NULL UNIQUE,
  cursor     INTEGER NOT NULL DEFAULT 0, -- everything up to this number was applied
  head       INTEGER NOT NULL DEFAULT 0, -- the hub's highest number, when last asked
  linked_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The known state of each record of the hub. A record with the text of another note has that note's id.
CREATE TABLE hub_records (
  hub_id  TEXT NOT NULL,
  id      TEXT NOT NULL,
  seq     INTEGER NOT NULL,
  is_own  INTEGER NOT NULL,
  note_id TEXT,
  state   TEXT NOT NULL CHECK (state IN ('kept', 'gone', 'declined', 'unread')),
  PRIMARY KEY (hub_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX hub_records_by_note ON hub_records(note_id) WHERE note_id IS NOT NULL;

-- Ids of own notes that the hub does not have in their present state; never their text.
CREATE TABLE hub_outbox (
  hub_id  TEXT NOT NULL,
  id      TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1, -- counts changes, so that one made during a push is pushed again
  reason  TEXT,                       -- why the hub did not accept it: set aside until it changes
  PRIMARY KEY (hub_id, id)
) STRICT, WITHOUT ROWID;
