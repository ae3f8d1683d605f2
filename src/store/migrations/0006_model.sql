-- Turns that a model may look at, once the plain rules have kept what they found. No text stands here: it is put
-- together from the turn's events when its time comes.
CREATE TABLE model_turns (
  turn_id    TEXT PRIMARY KEY,
  project_id TEXT NOT NULL,
  plain      TEXT NOT NULL,     -- JSON: what was kept without a model, and would be replaced
  state      TEXT NOT NULL CHECK (state IN ('waiting', 'asking', 'done', 'dropped')),
  note       TEXT NOT NULL DEFAULT '',
  tries      INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX model_turns_waiting ON model_turns(not_before) WHERE state = 'waiting';

-- The ledger: one row per call, written before it is made. Until it is settled, what it may cost counts as spent.
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
  usd           REAL,           -- NULL where the price is not known
  started_at    INTEGER NOT NULL,
  ended_at      INTEGER,
  origin        TEXT NOT NULL
) STRICT;
CREATE INDEX model_calls_by_day ON model_calls(day);
CREATE INDEX model_calls_open ON model_calls(outcome) WHERE outcome = 'reserved';
