import { claimsOf, explainReplacement } from "../../domain/memory/supersede.ts";
import { AppError } from "../../shared/errors.ts";
import type { Note, RivalNote } from "../../store/notes.ts";
import type { Store } from "../../store/open-store.ts";

/** Above this the key is too generic to be useful. */
const maxRivals = 20;

/**
 * Decides whether a new note replaces older ones, in the caller's transaction; or, if it arrives late, whether a newer
 * one replaces it.
 */
export function supersedeByRule(store: Store, note: Note): void {
  for (const other of listRivals(store, note)) {
    const [newer, older] = isLater(note, other) ? [note, other] : [other, note];
    const because = explainReplacement(newer, older);
    if (because === undefined) continue;
    // Two people disagree: both notes stay.
    if (newer.author !== older.author) {
      store.notes.dispute(newer.id, older.id);
      continue;
    }
    store.notes.supersede(older.id, newer.id, because, newer.createdAt);
    if (older === note) return;
  }
}

function listRivals(store: Store, note: Note): RivalNote[] {
  const { sought } = claimsOf(note, note.projectId);
  const rivals = store.notes.byClaims(sought, maxRivals).filter(({ id }) => id !== note.id);
  return [...new Map(rivals.map((rival) => [rival.id, rival])).values()];
}

function isLater(a: RivalNote, b: RivalNote): boolean {
  return a.createdAt === b.createdAt ? a.id > b.id : a.createdAt > b.createdAt;
}

/** A replaced note that is stated again becomes current, and replaces its successor. */
export function reviveIfRepeated(store: Store, note: Note, at: number): void {
  const current = findCurrent(store, note);
  if (current.id === note.id || at <= current.createdAt) return;
  store.notes.supersede(note.id, null, null, at);
  store.notes.supersede(current.id, note.id, "the older one was said again", at);
}

/** A manual replacement, regardless of the rules. */
export function supersedeByHand(store: Store, older: Note, newer: Note, at: number): void {
  if (older.id === newer.id) throw new AppError("invalid_argument", "A note cannot replace itself.");
  if (older.projectId !== newer.projectId)
    throw new AppError("invalid_argument", "A note can only be replaced by one of the same project.");
  if (listSuccessors(store, newer).some(({ id }) => id === older.id))
    throw new AppError(
      "invalid_argument",
      "That would be a cycle: the older note has already replaced the newer one.",
    );
  store.notes.supersede(older.id, newer.id, "by hand", at);
}

/** The notes that replaced it, one after the other, up to the current one. */
function listSuccessors(store: Store, note: Note): Note[] {
  const path = [note];
  for (let at = note; at.supersededBy !== null; ) {
    const next = store.notes.byId(at.supersededBy);
    // An import may contain a dangling link or a cycle.
    if (!next || path.some(({ id }) => id === next.id)) break;
    path.push(next);
    at = next;
  }
  return path.slice(1);
}

/** The current note: the end of the chain. */
export function findCurrent(store: Store, note: Note): Note {
  return listSuccessors(store, note).at(-1) ?? note;
}

/** The current note and everything it replaced, directly or not, oldest first. Empty for a single note. */
export function listChain(store: Store, note: Note): Note[] {
  const chain: Note[] = [];
  const seen = new Set<string>();
  const waiting = [findCurrent(store, note)];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    if (seen.has(at.id)) continue;
    seen.add(at.id);
    chain.push(at);
    waiting.push(...store.notes.supersededBy(at.id));
  }
  return chain.length < 2 ? [] : chain.toSorted((a, b) => (isLater(a, b) ? 1 : -1));
}
