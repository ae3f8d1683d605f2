-- The position up to which each agent's mail was read on its homeserver; written in the transaction that stores the mail.
CREATE TABLE mail_cursors (
  user_id TEXT PRIMARY KEY,
  since   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE rooms (
  id         TEXT PRIMARY KEY,      -- assigned by the homeserver
  kind       TEXT NOT NULL CHECK (kind IN ('project', 'direct', 'group')),
  key        TEXT NOT NULL UNIQUE,  -- identifies the room: the project's id, the two participants, or the name
  name       TEXT NOT NULL,
  keep_days  INTEGER,               -- older messages are deleted; NULL keeps all
  created_at INTEGER NOT NULL,
  origin     TEXT NOT NULL
) STRICT;

-- Messages. Our own are stored before they are sent; their id is the transaction id.
CREATE TABLE messages (
  id         TEXT PRIMARY KEY,
  event_id   TEXT UNIQUE,           -- assigned by the homeserver
  room_id    TEXT,                  -- NULL until the room is found or created
  address    TEXT NOT NULL,         -- the recipient as it was given
  sender     TEXT NOT NULL,         -- the displayed name of an agent or a person
  user_id    TEXT,                  -- on the homeserver
  agent_id   TEXT REFERENCES agents(id), -- NULL if the sender is not an agent of this machine
  is_agent   INTEGER NOT NULL,      -- whether an agent wrote it, of this machine or another
  kind       TEXT NOT NULL CHECK (kind IN ('text', 'task', 'lease')),
  body       TEXT NOT NULL,
  extra      TEXT,                  -- JSON: more fields of the event
  reply_to   TEXT,                  -- id of another message
  hops       INTEGER NOT NULL,      -- number of agents' messages since the last message of a person
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

-- An agent gets a message once, even if the homeserver delivers it again.
ALTER TABLE deliveries ADD COLUMN message_id TEXT;
CREATE UNIQUE INDEX deliveries_by_message ON deliveries(message_id, agent_id) WHERE message_id IS NOT NULL;

CREATE TABLE tasks (
  id         TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects(id),
  title      TEXT NOT NULL,
  requester  TEXT NOT NULL,         -- names of agents or people
  owner      TEXT,
  state      TEXT NOT NULL,
  rev        INTEGER NOT NULL,      -- grows with every change; a change based on an older one is refused
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

-- Whether editing a file under another agent's lease warns or is refused.
ALTER TABLE projects ADD COLUMN leases TEXT NOT NULL DEFAULT 'warn' CHECK (leases IN ('warn', 'block'));
