-- Times are epoch milliseconds. `origin` names the machine a row was made on, so that stores can be merged.

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- An agent is a readable name per project and seat; it outlives sessions.
CREATE TABLE agents (
  id           TEXT PRIMARY KEY,
  name         TEXT NOT NULL UNIQUE,
  project      TEXT NOT NULL,
  project_name TEXT NOT NULL,
  seat         INTEGER NOT NULL,
  origin       TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  UNIQUE (project, seat)
) STRICT;

-- A session belongs to the host and has the host's id.
CREATE TABLE sessions (
  id              TEXT PRIMARY KEY,
  agent_id        TEXT NOT NULL REFERENCES agents(id),
  project         TEXT NOT NULL,
  cwd             TEXT,
  transcript_path TEXT,
  claude_pid      INTEGER,
  pid_started     TEXT,             -- distinguishes a reused pid from the same process
  source          TEXT NOT NULL,    -- startup, resume, clear, compact, api, or unknown if its start was missed
  model           TEXT,
  title           TEXT,
  status          TEXT NOT NULL CHECK (status IN ('active', 'ended')),
  status_at       INTEGER NOT NULL,
  end_reason      TEXT,
  started_at      INTEGER NOT NULL,
  last_event_at   INTEGER NOT NULL,
  origin          TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_by_agent ON sessions(agent_id);
CREATE INDEX sessions_by_pid ON sessions(claude_pid) WHERE claude_pid IS NOT NULL;
CREATE INDEX sessions_active ON sessions(status) WHERE status = 'active';

-- A turn is a prompt and everything that follows until Stop.
CREATE TABLE turns (
  id                     TEXT PRIMARY KEY,
  session_id             TEXT NOT NULL REFERENCES sessions(id),
  prompt_id              TEXT,
  number                 INTEGER NOT NULL,
  origin_kind            TEXT NOT NULL CHECK (origin_kind IN ('human', 'machine', 'unseen')),
  outcome                TEXT CHECK (outcome IN ('completed', 'failed', 'interrupted', 'abandoned')),
  last_assistant_message TEXT,
  started_at             INTEGER NOT NULL,
  ended_at               INTEGER,
  origin                 TEXT NOT NULL
) STRICT;
CREATE INDEX turns_by_session ON turns(session_id, number);
CREATE UNIQUE INDEX turns_by_prompt ON turns(session_id, prompt_id) WHERE prompt_id IS NOT NULL;

CREATE TABLE prompts (
  event_id    TEXT PRIMARY KEY,
  session_id  TEXT NOT NULL REFERENCES sessions(id),
  turn_id     TEXT NOT NULL REFERENCES turns(id),
  prompt_id   TEXT,                 -- the host's; a machine prompt in mid-turn has one, but no turn of its own
  number      INTEGER NOT NULL,
  text        TEXT NOT NULL,
  machine     INTEGER NOT NULL,
  occurred_at INTEGER NOT NULL
) STRICT;
CREATE INDEX prompts_by_session ON prompts(session_id, number);
CREATE INDEX prompts_by_prompt ON prompts(session_id, prompt_id) WHERE prompt_id IS NOT NULL;

-- One raw hook event. The id comes from the hook: storing it twice is a no-op.
CREATE TABLE events (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  event       TEXT NOT NULL,
  session_id  TEXT NOT NULL REFERENCES sessions(id),
  turn_id     TEXT REFERENCES turns(id),
  subagent_id TEXT,
  tool_name   TEXT,
  tool_use_id TEXT,
  payload     TEXT NOT NULL,
  bytes       INTEGER NOT NULL,     -- of the payload as received, before it was shortened
  via         TEXT NOT NULL CHECK (via IN ('hook', 'spool', 'api')),
  occurred_at INTEGER NOT NULL,
  stored_at   INTEGER NOT NULL,
  origin      TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_session ON events(session_id, occurred_at);
CREATE UNIQUE INDEX events_by_tool_use ON events(session_id, tool_use_id, event) WHERE tool_use_id IS NOT NULL;

-- Texts for sessions: queued, injected (given to a hook), confirmed (found in the transcript).
CREATE TABLE deliveries (
  id                TEXT PRIMARY KEY,
  agent_id          TEXT NOT NULL REFERENCES agents(id),
  kind              TEXT NOT NULL,
  sender            TEXT NOT NULL,
  source            TEXT NOT NULL,
  body              TEXT NOT NULL,
  state             TEXT NOT NULL CHECK (state IN ('queued', 'injected', 'confirmed')),
  attempts          INTEGER NOT NULL DEFAULT 0,
  session_id        TEXT,           -- the session of the last injection
  injection_point   TEXT,
  transcript_path   TEXT,
  transcript_offset INTEGER,        -- only text after this byte can confirm it
  created_at        INTEGER NOT NULL,
  injected_at       INTEGER,
  confirmed_at      INTEGER,
  confirmed_by      TEXT,           -- transcript or tool
  origin            TEXT NOT NULL
) STRICT;
CREATE INDEX deliveries_open ON deliveries(agent_id, created_at) WHERE state <> 'confirmed';
CREATE INDEX deliveries_by_agent ON deliveries(agent_id, created_at);
