-- Whether the session used the note: opened, named, words (see domain/memory/note-use.ts) or no. NULL until its turn has ended.
ALTER TABLE injections ADD COLUMN used TEXT CHECK (used IN ('opened', 'named', 'words', 'no'));
