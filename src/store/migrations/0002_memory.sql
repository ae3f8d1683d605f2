-- A project is identified by its folder (the git common directory); its id survives a move.
CREATE TABLE projects (
  id          TEXT PRIMARY KEY,
  path        TEXT NOT NULL UNIQUE,
  name        TEXT NOT NULL,
  fingerprint TEXT,                 -- of the repository itself: recognises it after a move
  mode        TEXT NOT NULL DEFAULT 'on' CHECK (mode IN ('on', 'off', 'isolated')),
  created_at  INTEGER NOT NULL,
  origin      TEXT NOT NULL
) STRICT;
CREATE INDEX projects_by_fingerprint ON projects(fingerprint) WHERE fingerprint IS NOT NULL;

-- Notes: one thing worth remembering each.
CREATE TABLE observations (
  id             TEXT PRIMARY KEY,
  project_id     TEXT NOT NULL REFERENCES projects(id),
  worktree       TEXT,              -- the checkout it happened in, if it is not the main one
  session_id     TEXT,
  turn_id        TEXT,
  prompt_number  INTEGER,
  type           TEXT NOT NULL,
  title          TEXT NOT NULL,
  narrative      TEXT NOT NULL,
  facts          TEXT NOT NULL,     -- JSON arrays of strings from here on
  concepts       TEXT NOT NULL,
  files_read     TEXT NOT NULL,
  files_modified TEXT NOT NULL,
  source_events  TEXT NOT NULL,
  tokens         INTEGER NOT NULL,  -- the cost of reading it in full
  provenance     TEXT NOT NULL,     -- distil, answer, manual, import …
  hash           TEXT NOT NULL,     -- of its text: a project keeps the same text once
  created_at     INTEGER NOT NULL,
  updated_at     INTEGER NOT NULL,
  origin         TEXT NOT NULL,
  UNIQUE (project_id, hash)
) STRICT;
CREATE INDEX observations_by_project ON observations(project_id, created_at);
CREATE INDEX observations_by_session ON observations(session_id, created_at);
CREATE INDEX observations_by_turn ON observations(turn_id) WHERE turn_id IS NOT NULL;

-- Summaries of turns.
CREATE TABLE summaries (
  id             TEXT PRIMARY KEY,
  project_id     TEXT NOT NULL REFERENCES projects(id),
  session_id     TEXT NOT NULL,
  turn_id        TEXT UNIQUE,
  request        TEXT NOT NULL,
  investigated   TEXT NOT NULL,
  learned        TEXT NOT NULL,
  completed      TEXT NOT NULL,
  next_steps     TEXT NOT NULL,
  notes          TEXT NOT NULL,
  files_read     TEXT NOT NULL,
  files_modified TEXT NOT NULL,
  provenance     TEXT NOT NULL,
  created_at     INTEGER NOT NULL,
  origin         TEXT NOT NULL
) STRICT;
CREATE INDEX summaries_by_project ON summaries(project_id, created_at);
CREATE INDEX summaries_by_session ON summaries(session_id, created_at);

-- One index over everything that can be searched. The text is in the table of its kind.
CREATE TABLE memory_rows (
  rowid      INTEGER PRIMARY KEY,
  kind       TEXT NOT NULL CHECK (kind IN ('observation', 'summary', 'prompt')),
  ref        TEXT NOT NULL,
  project_id TEXT NOT NULL,
  session_id TEXT,
  type       TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (kind, ref)
) STRICT;
CREATE TABLE memory_files (
  path      TEXT NOT NULL,
  row       INTEGER NOT NULL REFERENCES memory_rows(rowid) ON DELETE CASCADE,
  PRIMARY KEY (path, row)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_files_by_row ON memory_files(row);
-- `pieces`: the parts of identifiers and paths. `scope`: one token each for project, kind and type, so that filters are
-- part of the match and cost nothing.
CREATE VIRTUAL TABLE memory_fts USING fts5(
  title, body, pieces, scope,
  content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE memory_vocab USING fts5vocab(memory_fts, 'row');

-- The notes given to each session, and why: none is shown twice, and `rookery why` lists them.
CREATE TABLE injections (
  session_id TEXT NOT NULL,
  kind       TEXT NOT NULL,
  ref        TEXT NOT NULL,
  point      TEXT NOT NULL,
  reason     TEXT NOT NULL,
  score      REAL,
  tokens     INTEGER NOT NULL,
  event_id   TEXT NOT NULL,
  at         INTEGER NOT NULL,
  PRIMARY KEY (session_id, kind, ref, point)
) STRICT, WITHOUT ROWID;

-- When the turn was distilled; NULL if it still waits.
ALTER TABLE turns ADD COLUMN distilled_at INTEGER;
CREATE INDEX turns_waiting ON turns(ended_at) WHERE distilled_at IS NULL AND ended_at IS NOT NULL;
