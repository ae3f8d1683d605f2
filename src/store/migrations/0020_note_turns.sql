-- The further turns whose text is part of a note, besides the one it was made from: forgetting one of them forgets the note.
CREATE TABLE note_turns (
  turn_id TEXT NOT NULL,
  note_id TEXT NOT NULL REFERENCES observations(id) ON DELETE CASCADE,
  PRIMARY KEY (turn_id, note_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX note_turns_by_note ON note_turns(note_id);
INSERT OR IGNORE INTO note_turns (turn_id, note_id)
  SELECT e.turn_id, o.id FROM observations o, json_each(o.source_events) j JOIN events e ON e.id = j.value
  WHERE e.turn_id IS NOT NULL AND e.turn_id IS NOT o.turn_id
  UNION
  SELECT p.turn_id, o.id FROM observations o, json_each(o.source_events) j JOIN prompts p ON p.event_id = j.value
  WHERE p.turn_id IS NOT NULL AND p.turn_id IS NOT o.turn_id;
