-- One position (`stream`) orders everything that clients get by /sync: events, receipts, account data, keys, to-device messages.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  password TEXT,
  display_name TEXT,
  avatar_url TEXT,
  is_deactivated INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE devices (
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  user TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT,
  seen_at INTEGER,
  seen_ip TEXT,
  UNIQUE (user, id)
);

-- Tokens are kept as hashes. A refreshed pair replaces its predecessor when it is first used.
CREATE TABLE tokens (
  hash TEXT PRIMARY KEY,
  device INTEGER NOT NULL REFERENCES devices (n) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  pair TEXT,
  replaces TEXT,
  expires_at INTEGER
) WITHOUT ROWID;
CREATE INDEX tokens_device ON tokens (device);

CREATE TABLE rooms (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  version TEXT NOT NULL,
  is_public INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
);

CREATE TABLE events (
  stream INTEGER PRIMARY KEY,
  room INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  state_key TEXT,
  sender TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  depth INTEGER NOT NULL,
  content TEXT NOT NULL,
  redacts TEXT,
  replaces INTEGER,
  redacted_by INTEGER,
  auth TEXT NOT NULL,
  hash TEXT NOT NULL,
  txn TEXT,
  parent TEXT,
  relation TEXT
);
CREATE INDEX events_room ON events (room, stream);
CREATE INDEX events_state ON events (room, type, state_key, stream) WHERE state_key IS NOT NULL;
CREATE INDEX events_txn ON events (txn, room, type) WHERE txn IS NOT NULL;
CREATE INDEX events_parent ON events (parent, stream) WHERE parent IS NOT NULL;

-- Updated in batches and before a search, never by a send.
CREATE VIRTUAL TABLE event_words USING fts5 (
  body, name, topic, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);

-- The current membership of each user; its history is in the events.
CREATE TABLE members (
  user TEXT NOT NULL,
  room INTEGER NOT NULL,
  membership TEXT NOT NULL,
  stream INTEGER NOT NULL,
  joined_at INTEGER,
  was_joined INTEGER NOT NULL DEFAULT 0,
  is_forgotten INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user, room)
) WITHOUT ROWID;

CREATE TABLE aliases (
  alias TEXT PRIMARY KEY,
  room TEXT NOT NULL,
  creator TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX aliases_room ON aliases (room);

CREATE TABLE receipts (
  room INTEGER NOT NULL,
  user TEXT NOT NULL,
  type TEXT NOT NULL,
  thread TEXT NOT NULL,
  event TEXT NOT NULL,
  event_stream INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  stream INTEGER NOT NULL,
  PRIMARY KEY (room, user, type, thread)
) WITHOUT ROWID;

-- `room` is '' for the account as a whole.
CREATE TABLE account_data (
  user TEXT NOT NULL,
  room TEXT NOT NULL,
  type TEXT NOT NULL,
  content TEXT NOT NULL,
  stream INTEGER NOT NULL,
  PRIMARY KEY (user, room, type)
) WITHOUT ROWID;

CREATE TABLE filters (
  user TEXT NOT NULL,
  n INTEGER NOT NULL,
  filter TEXT NOT NULL,
  PRIMARY KEY (user, n)
) WITHOUT ROWID;

CREATE TABLE pushers (
  user TEXT NOT NULL,
  app_id TEXT NOT NULL,
  pushkey TEXT NOT NULL,
  device INTEGER NOT NULL,
  pusher TEXT NOT NULL,
  PRIMARY KEY (user, app_id, pushkey)
) WITHOUT ROWID;

CREATE TABLE to_device (
  stream INTEGER PRIMARY KEY,
  device INTEGER NOT NULL,
  message TEXT NOT NULL
);
CREATE INDEX to_device_device ON to_device (device, stream);

CREATE TABLE sent_to_device (
  device INTEGER NOT NULL,
  txn TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  PRIMARY KEY (device, txn)
) WITHOUT ROWID;

CREATE TABLE device_keys (
  user TEXT NOT NULL,
  device TEXT NOT NULL,
  keys TEXT NOT NULL,
  PRIMARY KEY (user, device)
) WITHOUT ROWID;

CREATE TABLE one_time_keys (
  user TEXT NOT NULL,
  device TEXT NOT NULL,
  algorithm TEXT NOT NULL,
  id TEXT NOT NULL,
  key TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (user, device, algorithm, id)
) WITHOUT ROWID;

CREATE TABLE fallback_keys (
  user TEXT NOT NULL,
  device TEXT NOT NULL,
  algorithm TEXT NOT NULL,
  id TEXT NOT NULL,
  key TEXT NOT NULL,
  is_used INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user, device, algorithm)
) WITHOUT ROWID;

CREATE TABLE cross_signing_keys (
  user TEXT NOT NULL,
  usage TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (user, usage)
) WITHOUT ROWID;

CREATE TABLE key_signatures (
  user TEXT NOT NULL,
  target TEXT NOT NULL,
  signer TEXT NOT NULL,
  key_id TEXT NOT NULL,
  signature TEXT NOT NULL,
  PRIMARY KEY (user, target, signer, key_id)
) WITHOUT ROWID;

CREATE TABLE device_list_changes (user TEXT PRIMARY KEY, stream INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE key_backups (
  user TEXT NOT NULL,
  version INTEGER NOT NULL,
  algorithm TEXT NOT NULL,
  auth_data TEXT NOT NULL,
  etag INTEGER NOT NULL DEFAULT 0,
  is_deleted INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user, version)
) WITHOUT ROWID;

CREATE TABLE backed_up_keys (
  user TEXT NOT NULL,
  version INTEGER NOT NULL,
  room TEXT NOT NULL,
  session TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (user, version, room, session)
) WITHOUT ROWID;

CREATE TABLE media (
  id TEXT PRIMARY KEY,
  user TEXT NOT NULL,
  type TEXT,
  name TEXT,
  bytes INTEGER,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;

-- Reports of users to the operator of this server.
CREATE TABLE reports (
  n INTEGER PRIMARY KEY,
  reporter TEXT NOT NULL,
  room TEXT,
  event TEXT,
  user TEXT,
  reason TEXT,
  created_at INTEGER NOT NULL
);
