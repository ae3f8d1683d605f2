-- Whether the user shares the preferences of the project too.
ALTER TABLE hub_projects ADD COLUMN with_preferences INTEGER NOT NULL DEFAULT 0;
