import { isAboutRemoved } from "../../domain/memory/retell.ts";
import { makeRetraction, retractStatements } from "../../domain/memory/retract.ts";
import type { Distilled } from "../../domain/memory/turn-record.ts";
import type { Note } from "../../store/notes.ts";
import type { Store } from "../../store/open-store.ts";
import { rewriteNote } from "./keep-note.ts";

/** A turn that was just kept. */
interface LaterTurn {
  sessionId: string;
  turnId: string;
  at: number;
  /** Empty for a prompt that the host wrote. */
  prompt: string;
  final: string;
  notes: readonly Pick<Distilled, "type" | "provenance">[];
  /** Code names that the turn removed. */
  removed: readonly string[];
}

const maxSessionNotes = 60;

/** Withdraws earlier notes of the session about code that a turn removed. */
export function withdrawRemoved(store: Store, turn: LaterTurn, by: Note | undefined): void {
  if (!by || turn.removed.length === 0) return;
  for (const note of store.notes.outlinesOfSession(turn.sessionId, by.projectId, maxSessionNotes)) {
    const because = note.turnId === turn.turnId ? undefined : isAboutRemoved(note, turn.removed);
    if (because !== undefined) store.notes.supersede(note.id, by.id, because, by.createdAt);
  }
}

/** A turn rarely retracts statements older than these notes. */
const maxRetracted = 8;
/** Notes in a person's own words are never changed. */
const ownWords = new Set(["manual", "answer"]);

/**
 * Withdraws statements of earlier notes that a turn retracts. If the statement is the main one, the whole note is
 * replaced by the turn's note, if it has one.
 */
export function withdrawStatements(store: Store, turn: LaterTurn, by: Note | undefined): void {
  const { sessionId, turnId, prompt, final, notes, at } = turn;
  const hasFix = notes.some(
    ({ type, provenance }) => provenance === "commit" || type === "bugfix" || type === "problem-solution",
  );
  const retraction = final === "" ? undefined : makeRetraction({ prompt, final, hasFix });
  if (!retraction) return;
  const earlier = store.notes
    .ofSession(sessionId, maxRetracted)
    .filter((note) => note.turnId !== turnId && !ownWords.has(note.provenance));
  for (const note of earlier) {
    const isCommit = note.provenance === "commit";
    // The message of a commit says what was done, which a later turn does not make untrue.
    const judged = isCommit ? { ...note, narrative: "" } : note;
    const result = retractStatements(judged, note.turnId === earlier[0]?.turnId, retraction);
    if (!result) continue;
    if (result.whole !== undefined && !isCommit && by)
      store.notes.supersede(note.id, by.id, result.whole, at);
    else if (isCommit) rewriteNote(store, { ...result.note, narrative: note.narrative }, at);
    else rewriteNote(store, result.whole === undefined ? result.note : markWithdrawn(result.note), at);
  }
}

/** The turn that retracts the statement has no note to replace this one. */
function markWithdrawn(note: Note): Note {
  const isMarked = note.title.startsWith(withdrawnTitle);
  return isMarked ? note : { ...note, title: `${withdrawnTitle}${note.title}` };
}

const withdrawnTitle = "Withdrawn: ";
