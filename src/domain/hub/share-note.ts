import type { SharedNote } from "../../protocol/hub.ts";
import { redactText } from "../../redact/redact-text.ts";

type NoteText = SharedNote & { author: string | null };

/** Preferences are the user's own unless they share them too, and notes of others are not ours to share. */
export function isShareable(
  { type, author }: Pick<NoteText, "author"> & { type: string },
  { withPreferences }: { withPreferences: boolean },
): boolean {
  return author === null && (withPreferences || type !== "preference");
}

/**
 * A note as the hub gets it, and how many secrets were removed. Redacted with today's rules, which may be better than
 * those of the day it was stored; the home folder becomes `~`.
 */
export function encodeNote(note: SharedNote, homeFolder: string): { body: SharedNote; hidden: number } {
  let hidden = 0;
  const clean = (text: string): string => {
    const redacted = redactText(text);
    hidden += redacted.hidden;
    // PostgreSQL's JSON has no NUL and no half of a surrogate pair.
    const storable = redacted.text.replaceAll("\0", "").toWellFormed();
    return homeFolder.length > 1 ? storable.replaceAll(homeFolder, "~") : storable;
  };
  const cleanAll = (texts: readonly string[]): string[] => texts.map(clean);
  const body: SharedNote = {
    type: note.type,
    title: clean(note.title),
    narrative: clean(note.narrative),
    facts: cleanAll(note.facts),
    concepts: cleanAll(note.concepts),
    filesRead: cleanAll(note.filesRead),
    filesModified: cleanAll(note.filesModified),
    provenance: note.provenance,
    supersededBy: note.supersededBy,
  };
  return { body, hidden };
}
