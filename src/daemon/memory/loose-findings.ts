import { dropRepeats } from "../../domain/memory/distil/overlap.ts";
import { isAboutTheSame } from "../../domain/memory/retell.ts";
import { type Distilled, type LooseFindings, noLooseFindings } from "../../domain/memory/turn-record.ts";
import type { Note } from "../../store/notes.ts";
import type { Store } from "../../store/open-store.ts";
import { inTheirWords, keepNote, maxFacts, type NoteOrigin, rewriteNote } from "./keep-note.ts";

/** A turn that was just kept. */
export interface TurnPlace extends NoteOrigin {
  sessionId: string;
  turnId: string;
}

interface Waiting extends LooseFindings {
  turnId: string;
  /** The number of their turn. */
  number: number;
}

/** Older notes of a session are unlikely to be about the same thing. */
const maxRelated = 6;
/** Turns at most this far apart most likely belong to the same work. */
const nearTurns = 2;
/** After this many turns, findings are added to the nearest note of the session. */
const maxWait = 2;

/**
 * Adds findings of turns without a note of their own to a note of their session: the latest one about the same thing, or
 * that of a turn near by. Findings that fit no note yet wait for the next ones, but not for long. Once the turns that
 * wait have found out enough, they become one note together, which is returned.
 */
export function placeLooseFindings(store: Store, place: TurnPlace, found: LooseFindings): Note | undefined {
  const { sessionId, turnId, at } = place;
  const number = store.turns.numberOf(turnId) ?? 0;
  const waiting = store.turns.listLooseFindings(sessionId).filter((loose) => loose.turnId !== turnId);
  const own = found.facts.length === 0 ? [] : [{ ...found, turnId, number }];
  const unplaced: Waiting[] = [];
  for (const loose of [...waiting, ...own]) {
    const reach = number - loose.number < maxWait ? nearTurns : Infinity;
    const note = findNote(store, sessionId, loose, reach);
    if (note) {
      const facts = dropRepeats(note.narrative, [...note.facts, ...loose.facts]).slice(0, maxFacts);
      rewriteNote(store, { ...note, facts }, at);
      store.notes.addTurns(note.id, [loose.turnId]);
    }
    if (!note) unplaced.push(loose);
    store.turns.setLooseFindings(loose.turnId, note ? noLooseFindings : loose);
  }
  const together = joinDrafts(unplaced);
  return together && keepTogether(store, place, unplaced, together);
}

/** Minimum number of findings that turns need together to become a note. */
const minFindings = 2;
/** So many are kept even without a clear title. */
const manyFindings = 4;
/** Minimum rank of the title, and minimum worth, of the draft that the note is made from. */
const minTitleRank = 1.2;
const minWorth = 0.6;

/** The draft with the clearest title, with the findings of the other turns; undefined if they are not worth a note. */
function joinDrafts(waiting: readonly Waiting[]): { turnId: string; note: Distilled } | undefined {
  const drafts = waiting.flatMap(({ turnId, draft }) => (draft ? [{ turnId, ...draft }] : []));
  const findings = drafts.reduce((sum, draft) => sum + draft.findings, 0);
  const [best] = drafts
    .filter(({ note }) => (note.worth ?? 0) >= minWorth)
    .toSorted((a, b) => b.titleRank - a.titleRank);
  if (!best || findings < (best.titleRank >= minTitleRank ? minFindings : manyFindings)) return undefined;
  const { turnId, note } = best;
  const others = waiting.flatMap((loose) => (loose.turnId === turnId ? [] : loose.facts));
  return {
    turnId,
    note: { ...note, facts: dropRepeats(note.narrative, [...note.facts, ...others]).slice(0, maxFacts) },
  };
}

function keepTogether(
  store: Store,
  place: TurnPlace,
  waiting: readonly Waiting[],
  { turnId, note }: { turnId: string; note: Distilled },
): Note | undefined {
  const promptNumber = turnId === place.turnId ? place.promptNumber : null;
  const kept = keepNote(store, { note, place: { ...place, turnId, promptNumber } });
  const others = waiting.map((loose) => loose.turnId).filter((id) => id !== turnId);
  store.notes.addTurns(kept.note.id, others);
  for (const { turnId: waited } of waiting) store.turns.setLooseFindings(waited, noLooseFindings);
  return kept.isNew ? kept.note : undefined;
}

/** The notes of a session that can take findings. */
function listNotes(store: Store, sessionId: string): Note[] {
  return store.notes
    .ofSession(sessionId, maxRelated)
    .filter((note) => note.supersededBy === null && !inTheirWords.has(note.provenance))
    .filter(({ type }) => type !== "preference" && type !== "decision");
}

/** `reach`: the maximum number of turns between the findings and a note about something else. */
function findNote(
  store: Store,
  sessionId: string,
  { number, facts }: Waiting,
  reach: number,
): Note | undefined {
  const notes = listNotes(store, sessionId);
  const distanceTo = ({ turnId }: Note): number =>
    Math.abs(number - ((turnId === null ? undefined : store.turns.numberOf(turnId)) ?? -Infinity));
  const near = notes
    .filter((note) => distanceTo(note) <= reach)
    .toSorted((a, b) => distanceTo(a) - distanceTo(b));
  return notes.find((note) => isAboutTheSame(note, facts)) ?? near[0];
}
