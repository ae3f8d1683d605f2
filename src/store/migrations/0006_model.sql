-- Turns that wait for a model after the plain rules have stored their notes. Contains no text: the prompt is
-- built from the turn's events when it is processed.
CREATE TABLE model_turns (
  turn_id    TEXT PRIMARY KEY,
  project_id TEXT NOT NULL,
  plain      TEXT NOT NULL,     -- JSON: the notes made without a model, which would be replaced
  state      TEXT NOT NULL CHECK (state IN ('waiting', 'asking', 'done', 'dropped')),
  note       TEXT NOT NULL DEFAULT '',
  tries      INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX model_turns_waiting ON model_turns(not_before) WHERE state = 'waiting';

-- The ledger: one row per call, written before the call. Until it is settled, its maximum cost counts as spent.
CREATE TABLE model_calls (
  id            TEXT PRIMARY KEY,
  turn_id       TEXT,           -- NULL for a trial call
  project_id    TEXT,
  provider      TEXT NOT NULL,
  model         TEXT NOT NULL,
  day           TEXT NOT NULL,  -- the user's day, 2026-11-15
  outcome       TEXT NOT NULL,  -- reserved until it is settled
  input_tokens  INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  usd           REAL,           -- NULL if the price is not known
  started_at    INTEGER NOT NULL,
  ended_at      INTEGER,
  origin        TEXT NOT NULL
) STRICT;
CREATE INDEX model_calls_by_day ON model_calls(day);
CREATE INDEX model_calls_open ON model_calls(outcome) WHERE outcome = 'reserved';
