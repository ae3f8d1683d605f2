-- A lease may be held by an agent on another machine, which has no row in agents.
CREATE TABLE leases_new (
  id           TEXT PRIMARY KEY,
  project_id   TEXT NOT NULL REFERENCES projects(id),
  holder       TEXT NOT NULL,       -- an agent's id, or the name and account of an agent elsewhere
  globs        TEXT NOT NULL,       -- JSON array
  is_exclusive INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  fence        INTEGER NOT NULL,
  task_id      TEXT,
  created_at   INTEGER NOT NULL,
  origin       TEXT NOT NULL
) STRICT;
INSERT INTO leases_new SELECT * FROM leases;
DROP TABLE leases;
ALTER TABLE leases_new RENAME TO leases;
CREATE INDEX leases_by_project ON leases(project_id, expires_at);
