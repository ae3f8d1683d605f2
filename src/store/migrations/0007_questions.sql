-- Questions to a person. Each leaves the state `open` once; an answer from outside the terminal is then confirmed or overruled.
CREATE TABLE questions (
  id           TEXT PRIMARY KEY,
  kind         TEXT NOT NULL CHECK (kind IN ('choice', 'permission', 'plan')),
  hook_id      TEXT UNIQUE,           -- the hook that waits for the answer; none if a tool or a command asked
  project      TEXT NOT NULL,         -- the project's key; the names beside it are shown on cards
  project_name TEXT NOT NULL,
  agent_id     TEXT,                  -- the agent whose inbox gets the answer if no caller waits for it
  agent        TEXT NOT NULL,
  session_id   TEXT,
  subagent_id  TEXT,
  subagent     TEXT,                  -- its type, for display
  claude_pid   INTEGER,
  pid_started  TEXT,
  tool_name    TEXT,
  tool_use_id  TEXT,
  input        TEXT NOT NULL,         -- JSON, secrets as placeholders
  is_exact     INTEGER NOT NULL,      -- nothing in it was hidden or truncated
  input_hash   TEXT NOT NULL,         -- of the input as received
  context      TEXT,
  prompts      TEXT NOT NULL,         -- JSON
  subject      TEXT,                  -- JSON
  session_rule TEXT,                  -- JSON
  wording      TEXT NOT NULL,         -- compared to find an earlier question of the same kind
  earlier      TEXT,                  -- JSON: the earlier answer
  urgency      TEXT NOT NULL CHECK (urgency IN ('normal', 'now')),
  state        TEXT NOT NULL CHECK (state IN ('open', 'answered', 'declined', 'expired', 'cancelled')),
  verdict      TEXT CHECK (verdict IN ('sent', 'confirmed', 'overruled')),
  answer       TEXT,                  -- JSON, secrets as placeholders
  place        TEXT,
  answered_by  TEXT,
  note         TEXT,                  -- how it ended, if the state alone does not say
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  settled_at   INTEGER,
  handed_at    INTEGER,               -- when the asker was given the answer
  origin       TEXT NOT NULL
) STRICT;
CREATE INDEX questions_open ON questions(created_at) WHERE state = 'open';
CREATE INDEX questions_sent ON questions(settled_at) WHERE verdict = 'sent';
CREATE INDEX questions_unhanded ON questions(settled_at) WHERE state <> 'open' AND hook_id IS NULL AND handed_at IS NULL;
CREATE INDEX questions_by_wording ON questions(project, kind, settled_at) WHERE state = 'answered';
CREATE INDEX questions_by_session ON questions(session_id, tool_use_id);
CREATE INDEX questions_by_time ON questions(created_at);
