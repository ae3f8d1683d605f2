-- One row is one message on one channel: a question's card with all its edits, or one piece of news.
CREATE TABLE outbox (
  id          TEXT PRIMARY KEY,
  channel     TEXT NOT NULL,
  key         TEXT NOT NULL,        -- the service's idempotency key: the same key is the same message
  kind        TEXT NOT NULL CHECK (kind IN ('card', 'notice')),
  -- held: not yet due · waiting: to be sent or edited · sending: passed to the channel, outcome unknown · sent · parked: failed,
  -- needs attention · dropped: no longer needed
  state       TEXT NOT NULL CHECK (state IN ('held', 'waiting', 'sending', 'sent', 'parked', 'dropped')),
  question_id TEXT,
  ticket      TEXT UNIQUE,          -- returned by a button; bound to question, channel and input
  input_hash  TEXT,
  notice      TEXT,                 -- JSON
  repeats     INTEGER NOT NULL DEFAULT 1,
  place       TEXT,                 -- where it was posted, in the channel's format
  shown       TEXT,                 -- the outcome that the card shows
  attempts    INTEGER NOT NULL DEFAULT 0,
  due_at      INTEGER NOT NULL,
  queued_at   INTEGER NOT NULL,     -- the start of waiting: rows of a channel are sent in this order
  error       TEXT,
  created_at  INTEGER NOT NULL,
  posted_at   INTEGER,
  origin      TEXT NOT NULL,
  UNIQUE (channel, key)
) STRICT;
CREATE INDEX outbox_open ON outbox(channel, queued_at) WHERE state IN ('held', 'waiting', 'sending', 'parked');
CREATE INDEX outbox_shown ON outbox(created_at) WHERE kind = 'card' AND place IS NOT NULL AND shown IS NULL;
CREATE INDEX outbox_by_question ON outbox(question_id) WHERE question_id IS NOT NULL;
CREATE INDEX outbox_by_place ON outbox(channel, place) WHERE place IS NOT NULL;
CREATE INDEX outbox_by_age ON outbox(created_at);

-- People who may answer. Empty until someone is paired.
CREATE TABLE people (
  id        TEXT PRIMARY KEY,
  channel   TEXT NOT NULL,
  sender    TEXT NOT NULL,
  team      TEXT,
  name      TEXT NOT NULL,
  paired_at INTEGER NOT NULL,
  origin    TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX people_by_sender ON people(channel, sender, coalesce(team, ''));

-- Codes shown in the terminal and not yet sent in a chat; only their hashes are stored.
CREATE TABLE pairings (
  id         TEXT PRIMARY KEY,
  channel    TEXT NOT NULL,
  code_hash  TEXT NOT NULL,
  wrong      INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

-- Actions received from a service, by the service's id: the same action counts once.
CREATE TABLE replies (
  channel     TEXT NOT NULL,
  id          TEXT NOT NULL,
  result      TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  PRIMARY KEY (channel, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX replies_by_age ON replies(received_at);

-- Every decision and refusal: who, where and the result, never the question or the answer.
CREATE TABLE audit (
  seq         INTEGER PRIMARY KEY,
  at          INTEGER NOT NULL,
  action      TEXT NOT NULL,
  result      TEXT NOT NULL,
  place       TEXT NOT NULL,
  who         TEXT NOT NULL,
  question_id TEXT,
  detail      TEXT NOT NULL,
  origin      TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END;
CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END;
