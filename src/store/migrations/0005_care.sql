-- Forgotten data, without its content: keyed hashes of ids (of turns, events, notes), never of text.
CREATE TABLE tombstones (
  hash         TEXT PRIMARY KEY,
  forgotten_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A forgotten period of one project (its folder as a keyed hash), or of all.
CREATE TABLE forgotten_spans (
  id           INTEGER PRIMARY KEY,
  project_hash TEXT,
  from_at      INTEGER NOT NULL,
  to_at        INTEGER NOT NULL,
  forgotten_at INTEGER NOT NULL
) STRICT;

CREATE INDEX injections_by_ref ON injections(kind, ref);
CREATE INDEX injections_by_event ON injections(event_id);

-- The newer note that replaced this one, when, and by which rule or person.
ALTER TABLE observations ADD COLUMN superseded_by TEXT;
ALTER TABLE observations ADD COLUMN superseded_at INTEGER;
ALTER TABLE observations ADD COLUMN superseded_because TEXT;
CREATE INDEX observations_superseded ON observations(superseded_by) WHERE superseded_by IS NOT NULL;
-- Sketches of a note's subject: notes that share one may be about the same thing.
CREATE TABLE observation_claims (
  claim          INTEGER NOT NULL,
  observation_id TEXT NOT NULL REFERENCES observations(id) ON DELETE CASCADE,
  PRIMARY KEY (claim, observation_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX observation_claims_by_observation ON observation_claims(observation_id);

-- Folder context: on for a project only if its user turned it on; and every file with a section of ours.
ALTER TABLE projects ADD COLUMN folders INTEGER NOT NULL DEFAULT 0;
CREATE TABLE folder_files (
  root       TEXT NOT NULL,
  path       TEXT NOT NULL,         -- relative to the root of the checkout
  project_id TEXT NOT NULL REFERENCES projects(id) ON DELETE CASCADE,
  PRIMARY KEY (root, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX folder_files_by_project ON folder_files(project_id);
