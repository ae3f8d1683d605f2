-- When the user pinned the note; NULL if not. Pinned notes come first at the start of every session.
ALTER TABLE observations ADD COLUMN pinned_at INTEGER;
CREATE INDEX observations_pinned ON observations(project_id, pinned_at) WHERE pinned_at IS NOT NULL;
-- The distiller's estimate that a later session wants it; NULL if there is none.
ALTER TABLE observations ADD COLUMN worth REAL;
-- Current notes by type: rules and decisions of any age are read for every session.
CREATE INDEX observations_by_type ON observations(project_id, type, created_at) WHERE superseded_by IS NULL;
-- A short id is the end of an id.
CREATE INDEX observations_by_tail ON observations(substr(id, -4));
-- One summary per session besides those of its turns.
CREATE UNIQUE INDEX summaries_of_sessions ON summaries(session_id) WHERE turn_id IS NULL AND provenance = 'session';
CREATE INDEX sessions_by_project ON sessions(project, last_event_at);
