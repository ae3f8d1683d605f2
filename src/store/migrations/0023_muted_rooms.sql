-- Messages in a muted room are not counted as unread in the navigation.
ALTER TABLE rooms ADD COLUMN is_muted INTEGER NOT NULL DEFAULT 0 CHECK (is_muted IN (0, 1));
