import { dropRepeats } from "../../domain/memory/distil/overlap.ts";
import { isAboutTheSame } from "../../domain/memory/retell.ts";
import type { Note } from "../../store/notes.ts";
import type { Store } from "../../store/open-store.ts";
import { inTheirWords, maxFacts, rewriteNote } from "./keep-note.ts";

/** A turn that was just kept. */
interface Place {
  sessionId: string;
  turnId: string;
  at: number;
}

/** Findings of a turn without a note of its own. */
interface LooseFacts {
  turnId: string;
  /** The number of their turn. */
  number: number;
  facts: readonly string[];
}

/** Older notes of a session are unlikely to be about the same thing. */
const maxRelated = 6;
/** Turns at most this far apart most likely belong to the same work. */
const nearTurns = 2;
/** After this many turns, findings are added to the nearest note of the session. */
const maxWait = 2;

/**
 * Adds findings of turns without a note of their own to a note of their session: the latest one about the same thing, or
 * that of a turn near by. Findings that fit no note yet wait for the next ones, but not for long.
 */
export function placeLooseFacts(store: Store, place: Place, facts: readonly string[]): void {
  const { sessionId, turnId, at } = place;
  const number = store.turns.numberOf(turnId) ?? 0;
  const waiting = store.turns.listLooseFacts(sessionId).filter((loose) => loose.turnId !== turnId);
  const own = facts.length === 0 ? [] : [{ turnId, number, facts }];
  for (const loose of [...waiting, ...own]) {
    const reach = number - loose.number < maxWait ? nearTurns : Infinity;
    const note = findNote(store, sessionId, loose, reach);
    if (note) {
      const all = dropRepeats(note.narrative, [...note.facts, ...loose.facts]).slice(0, maxFacts);
      rewriteNote(store, { ...note, facts: all }, at);
      store.notes.addTurns(note.id, [loose.turnId]);
    }
    store.turns.setLooseFacts(loose.turnId, note ? [] : loose.facts);
  }
}

/** `reach`: the maximum number of turns between the findings and a note about something else. */
function findNote(
  store: Store,
  sessionId: string,
  { number, facts }: LooseFacts,
  reach: number,
): Note | undefined {
  const recent = store.notes
    .ofSession(sessionId, maxRelated)
    .filter((note) => note.supersededBy === null && !inTheirWords.has(note.provenance))
    .filter(({ type }) => type !== "preference" && type !== "decision");
  const distanceTo = ({ turnId }: Note): number =>
    Math.abs(number - ((turnId === null ? undefined : store.turns.numberOf(turnId)) ?? -Infinity));
  const near = recent
    .filter((note) => distanceTo(note) <= reach)
    .toSorted((a, b) => distanceTo(a) - distanceTo(b));
  return recent.find((note) => isAboutTheSame(note, facts)) ?? near[0];
}
