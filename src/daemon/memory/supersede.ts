import { claimsOf, replaces } from "../../domain/memory/supersede.ts";
import { AppError } from "../../shared/errors.ts";
import type { Observation } from "../../store/observations.ts";
import type { Store } from "../../store/open-store.ts";

/** More would be a thing that everything is about. */
const mostRivals = 20;

/**
 * Sees whether a new note takes an older one's place, in the caller's transaction; or, where it was learned of late, whether
 * a newer one has taken its own.
 */
export function supersedeByRule(store: Store, note: Observation): void {
  for (const other of listRivals(store, note)) {
    const [newer, older] = isLater(note, other) ? [note, other] : [other, note];
    const because = replaces(newer, older);
    if (because === undefined) continue;
    store.observations.supersede(older.id, newer.id, because, newer.createdAt);
    if (older === note) return;
  }
}

function listRivals(store: Store, note: Observation): Observation[] {
  const { sought } = claimsOf(note, note.projectId);
  const rivals = store.observations.byClaims(sought, mostRivals).filter(({ id }) => id !== note.id);
  return [...new Map(rivals.map((rival) => [rival.id, rival])).values()];
}

function isLater(a: Observation, b: Observation): boolean {
  return a.createdAt === b.createdAt ? a.id > b.id : a.createdAt > b.createdAt;
}

/** What was replaced and is now said again holds again, in the place of what had replaced it. */
export function reviveSaidAgain(store: Store, note: Observation, at: number): void {
  const current = currentOf(store, note);
  if (current.id === note.id || at <= current.createdAt) return;
  store.observations.supersede(note.id, null, null, at);
  store.observations.supersede(current.id, note.id, "the older one was said again", at);
}

/** By hand, whatever the rules say. */
export function supersedeByHand(store: Store, older: Observation, newer: Observation, at: number): void {
  if (older.id === newer.id) throw new AppError("invalid_argument", "A note cannot replace itself.");
  if (older.projectId !== newer.projectId)
    throw new AppError("invalid_argument", "A note can only be replaced by one of the same project.");
  if (listSuccessors(store, newer).some(({ id }) => id === older.id))
    throw new AppError("invalid_argument", "That would go round in a circle: it took the other one's place.");
  store.observations.supersede(older.id, newer.id, "by hand", at);
}

/** What took its place, and that one's, to the end. */
function listSuccessors(store: Store, note: Observation): Observation[] {
  const path = [note];
  for (let at = note; at.supersededBy !== null; ) {
    const next = store.observations.byId(at.supersededBy);
    // An import may bring a link to nowhere, or a circle.
    if (!next || path.some(({ id }) => id === next.id)) break;
    path.push(next);
    at = next;
  }
  return path.slice(1);
}

/** What holds now: the end of the chain. */
export function currentOf(store: Store, note: Observation): Observation {
  return listSuccessors(store, note).at(-1) ?? note;
}

/** Everything that was replaced on the way to what holds now, oldest first. One alone is no chain. */
export function listChain(store: Store, note: Observation): Observation[] {
  const chain: Observation[] = [];
  const seen = new Set<string>();
  const waiting = [currentOf(store, note)];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    if (seen.has(at.id)) continue;
    seen.add(at.id);
    chain.push(at);
    waiting.push(...store.observations.supersededBy(at.id));
  }
  return chain.length < 2 ? [] : chain.toSorted((a, b) => (isLater(a, b) ? 1 : -1));
}
