-- An account is paired for the person at this machine, unless another one is named.
ALTER TABLE pairings ADD COLUMN name TEXT NOT NULL DEFAULT 'the user';
