-- Findings of a turn without a note, until a later note of its session takes them.
ALTER TABLE turns ADD COLUMN loose_facts TEXT;
