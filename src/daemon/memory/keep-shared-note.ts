import type { SharedNote } from "../../protocol/hub.ts";
import type { Note } from "../../store/notes.ts";
import type { Store } from "../../store/open-store.ts";
import { countTokens, hashOf, keepNote } from "./keep-note.ts";

/** A note that came through the hub. */
interface ReceivedNote {
  id: string;
  projectId: string;
  author: string;
  byMachine: boolean;
  createdAt: number;
  body: SharedNote;
}

/**
 * Stores and indexes a note of another machine, or the author's new version of it, in the caller's transaction.
 * Returns the id of the note that has its text: the project's own, if it says the same.
 */
export function keepSharedNote(store: Store, received: ReceivedNote): string {
  const { id, projectId, author, byMachine, createdAt, body } = received;
  const { supersededBy, ...text } = body;
  const known = store.notes.byId(id);
  const note: Note = {
    ...text,
    // Another person's preference is not a rule of this user.
    type: text.type === "preference" ? "discovery" : text.type,
    id,
    projectId,
    author,
    byMachine,
    createdAt,
    updatedAt: createdAt,
    hash: hashOf(text.title, text.narrative),
    tokens: countTokens(text),
    worktree: null,
    sessionId: null,
    turnId: null,
    promptNumber: null,
    sourceEvents: [],
    supersededBy: null,
    supersededBecause: null,
    worth: null,
    pinnedAt: null,
  };
  const same = store.notes.byHash(projectId, note.hash);
  if (same && same.id !== id) {
    if (known) store.notes.remove(id);
    if (known) store.index.remove("observation", id);
    return same.id;
  }
  // A comparison with the hub brings every note again.
  if (!known || !isSameNote(known, note)) keepNote(store, { received: note });
  followAuthor(store, note, supersededBy, known?.supersededBecause ?? null);
  return id;
}

/** The parts of a shared note that can differ from the copy here. */
const sharedFields: readonly (keyof Note)[] = [
  ...([
    "type",
    "title",
    "narrative",
    "facts",
    "concepts",
    "filesRead",
    "filesModified",
    "provenance",
  ] as const),
  ...(["author", "byMachine", "createdAt"] as const),
];

function isSameNote(known: Note, note: Note): boolean {
  const read = (from: Note): string => JSON.stringify(sharedFields.map((field) => from[field]));
  return read(known) === read(note);
}

const byAuthor = "its author replaced it";

/** The author's own replacement of the note, as soon as its successor is here, or its undo. */
function followAuthor(store: Store, note: Note, supersededBy: string | null, because: string | null): void {
  if (supersededBy === null && because === byAuthor)
    store.notes.supersede(note.id, null, null, note.createdAt);
  if (supersededBy !== null && store.notes.byId(supersededBy)?.projectId === note.projectId)
    store.notes.supersede(note.id, supersededBy, byAuthor, note.createdAt);
}
