-- When the user pinned a note; NULL for one that is not. Pinned notes come first at the start of every session.
ALTER TABLE observations ADD COLUMN pinned_at INTEGER;
CREATE INDEX observations_pinned ON observations(project_id, pinned_at) WHERE pinned_at IS NOT NULL;
-- Probability that a later session wants it, as the distiller judged it; NULL where it did not.
ALTER TABLE observations ADD COLUMN worth REAL;
-- Notes that hold, by type: rules and decisions are read for every session, however old they are.
CREATE INDEX observations_by_type ON observations(project_id, type, created_at) WHERE superseded_by IS NULL;
-- Short ids are the end of an id.
CREATE INDEX observations_by_tail ON observations(substr(id, -4));
-- One summary per session besides those of its turns.
CREATE UNIQUE INDEX summaries_of_sessions ON summaries(session_id) WHERE turn_id IS NULL AND provenance = 'session';
CREATE INDEX sessions_by_project ON sessions(project, last_event_at);
