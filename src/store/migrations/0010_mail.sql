-- How far each agent's mail was read on its homeserver; kept in the transaction that keeps the mail.
CREATE TABLE mail_cursors (
  user_id TEXT PRIMARY KEY,
  since   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE rooms (
  id         TEXT PRIMARY KEY,      -- the homeserver's
  kind       TEXT NOT NULL CHECK (kind IN ('project', 'direct', 'group')),
  key        TEXT NOT NULL UNIQUE,  -- what makes it the one: the project's id, the two who talk, the name
  name       TEXT NOT NULL,
  keep_days  INTEGER,               -- older messages go; NULL keeps all
  created_at INTEGER NOT NULL,
  origin     TEXT NOT NULL
) STRICT;

-- What was said, by whom, to whom. Ours are kept before they are sent: the id is the key they are sent with.
CREATE TABLE messages (
  id         TEXT PRIMARY KEY,
  event_id   TEXT UNIQUE,           -- the homeserver's, once it has it
  room_id    TEXT,                  -- NULL while the room is still to be found or made
  address    TEXT NOT NULL,         -- whom it is for, as it was said
  sender     TEXT NOT NULL,         -- the name shown: an agent's, or a person's
  user_id    TEXT,                  -- on the homeserver
  agent_id   TEXT REFERENCES agents(id), -- NULL for whoever is none of this machine's agents
  is_agent   INTEGER NOT NULL,      -- whether a machine wrote it: ours, or one of another machine
  kind       TEXT NOT NULL CHECK (kind IN ('text', 'task', 'lease')),
  body       TEXT NOT NULL,
  extra      TEXT,                  -- JSON: what rides along in the event
  reply_to   TEXT,                  -- id of another message
  hops       INTEGER NOT NULL,      -- how many agents' messages led to it since a person spoke
  state      TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'failed', 'received')),
  attempts   INTEGER NOT NULL DEFAULT 0,
  due_at     INTEGER NOT NULL DEFAULT 0,
  error      TEXT,
  created_at INTEGER NOT NULL,
  origin     TEXT NOT NULL
) STRICT;
CREATE INDEX messages_queued ON messages(agent_id, address) WHERE state = 'queued';
CREATE INDEX messages_by_room ON messages(room_id, created_at);
CREATE INDEX messages_by_agent ON messages(agent_id, created_at) WHERE agent_id IS NOT NULL;

-- A message reaches an agent once, however often the homeserver tells of it.
ALTER TABLE deliveries ADD COLUMN message_id TEXT;
CREATE UNIQUE INDEX deliveries_by_message ON deliveries(message_id, agent_id) WHERE message_id IS NOT NULL;

CREATE TABLE tasks (
  id         TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects(id),
  title      TEXT NOT NULL,
  requester  TEXT NOT NULL,         -- names of agents or people
  owner      TEXT,
  state      TEXT NOT NULL,
  rev        INTEGER NOT NULL,      -- grows with every change: who changes an old one is told
  progress   INTEGER,               -- percent
  result     TEXT,
  files      TEXT NOT NULL,         -- JSON array
  event_id   TEXT,                  -- of its first message
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  origin     TEXT NOT NULL
) STRICT;
CREATE INDEX tasks_by_project ON tasks(project_id, updated_at);

CREATE TABLE leases (
  id           TEXT PRIMARY KEY,
  project_id   TEXT NOT NULL REFERENCES projects(id),
  holder       TEXT NOT NULL REFERENCES agents(id),
  globs        TEXT NOT NULL,       -- JSON array
  is_exclusive INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  fence        INTEGER NOT NULL,
  task_id      TEXT,
  created_at   INTEGER NOT NULL,
  origin       TEXT NOT NULL
) STRICT;
CREATE INDEX leases_by_project ON leases(project_id, expires_at);

-- What happens when an agent edits under another's lease.
ALTER TABLE projects ADD COLUMN leases TEXT NOT NULL DEFAULT 'warn' CHECK (leases IN ('warn', 'block'));
