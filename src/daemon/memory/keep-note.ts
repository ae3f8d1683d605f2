import { hash } from "node:crypto";
import { isSameStatement, sketchesOf } from "../../domain/memory/alike.ts";
import { dropGuesses, isWithdrawnFact } from "../../domain/memory/retract.ts";
import {
  measureCoveredWork,
  isRetelling,
  isSameCommit,
  explainWithdrawal,
  type Doubt,
} from "../../domain/memory/retell.ts";
import { dropRepeats, wordOverlap } from "../../domain/memory/distil/overlap.ts";
import { claimsOf } from "../../domain/memory/supersede.ts";
import { estimateTokens } from "../../domain/memory/tokens.ts";
import type { Distilled } from "../../domain/memory/turn-record.ts";
import { listWords } from "../../domain/memory/words.ts";
import type { ExportLine } from "../../protocol/export.ts";
import { makeId } from "../../shared/ids.ts";
import type { Note, NoteOutline } from "../../store/notes.ts";
import type { Store } from "../../store/open-store.ts";
import { insertPortable } from "../../store/portable.ts";
import type { Bus } from "../runtime/bus.ts";
import type { FileNames } from "./file-names.ts";
import { reviveIfRepeated, supersedeByRule } from "./supersede.ts";

/** The origin of a note. */
export interface NoteOrigin {
  projectId: string;
  /** Names its files and its checkout. */
  files: FileNames;
  sessionId: string | null;
  turnId: string | null;
  promptNumber: number | null;
  at: number;
}

type NewNote = Distilled | (Omit<Distilled, "provenance"> & { provenance: string });

/** A note and where it comes from: made on this machine, or a row of an export. */
type NoteSource =
  | {
      note: NewNote;
      place: NoteOrigin;
      /** How the user's prompt responds to the previous turn, whose notes this note may withdraw. */
      doubt?: Doubt;
    }
  | {
      /** Stored unchanged, with its own id, times and links; it is not compared with other notes. */
      exported: Extract<ExportLine, { kind: "observation" }>;
      projectId: string;
      turnId: string | null;
    }
  | {
      /** From another machine: stored as it is, not merged with other notes, and replaced when its author changes it. */
      received: Note;
    };

interface KeptNote {
  note: Note;
  /** False if the project has it already. A near-identical one is merged into the existing note. */
  isNew: boolean;
}

/**
 * Stores and indexes a note, in the caller's transaction. Every note enters the store here, whether it was distilled,
 * made from an answer, saved by hand or imported.
 */
export function keepNote(store: Store, source: NoteSource): KeptNote {
  if ("exported" in source) return keepExported(store, source);
  if ("received" in source) return keepReceived(store, source.received);
  const { place, doubt = "none" } = source;
  const note = makeNote(source.note, place);
  const same = store.notes.byHash(place.projectId, note.hash);
  if (same) {
    reviveIfRepeated(store, same, place.at);
    return { note: same, isNew: false };
  }
  const ofSession =
    place.sessionId === null
      ? []
      : store.notes.outlinesOfSession(place.sessionId, place.projectId, maxSessionNotes);
  const work = listCommitted(note, ofSession).flatMap(({ id }) => store.notes.byId(id) ?? []);
  if (work.length > 0) return { note: describeByCommit(store, work, note), isNew: false };
  const alike = findAlike(store, note) ?? findRestated(note, ofSession);
  const earlier = alike && store.notes.byId(alike.id);
  if (earlier) {
    const merged = mergeNotes(earlier, note);
    store.notes.update(merged);
    recordTurns(store, earlier.id, note);
    indexNote(store, merged);
    return { note: merged, isNew: false };
  }
  store.notes.insert(note);
  indexNote(store, note);
  supersedeByRule(store, note);
  withdrawEarlier(store, note, ofSession, doubt);
  return { note, isNew: true };
}

function makeNote(made: NewNote, place: NoteOrigin): Note {
  const isCommit = made.provenance === "commit";
  const note = isCommit ? { ...made, facts: made.facts.flatMap((fact) => dropGuesses(fact) || []) } : made;
  return {
    ...note,
    id: makeId(place.at),
    projectId: place.projectId,
    worktree: place.files.worktree,
    sessionId: place.sessionId,
    turnId: place.turnId,
    promptNumber: place.promptNumber,
    filesRead: note.filesRead.map(place.files.nameOf),
    filesModified: note.filesModified.map(place.files.nameOf),
    tokens: countTokens(note),
    hash: hashOf(note.title, note.narrative),
    createdAt: place.at,
    updatedAt: place.at,
    supersededBy: null,
    supersededBecause: null,
    worth: note.worth ?? null,
    pinnedAt: null,
    author: null,
    byMachine: false,
  };
}

function keepExported(
  store: Store,
  { exported, projectId, turnId }: Extract<NoteSource, { exported: unknown }>,
): KeptNote {
  const isNew = insertPortable(store.db, exported, { project_id: projectId, turn_id: turnId });
  // A row that is not inserted has the id or the text of an existing one.
  const note = (store.notes.byId(exported.id) ?? store.notes.byHash(projectId, exported.hash)) as Note;
  if (isNew) indexNote(store, note);
  return { note, isNew };
}

function keepReceived(store: Store, note: Note): KeptNote {
  const isNew = store.notes.byId(note.id) === undefined;
  if (isNew) store.notes.insert(note);
  else store.notes.update(note);
  indexNote(store, note);
  if (isNew) supersedeByRule(store, note);
  return { note, isNew };
}

/** Call it after the commit. */
export function announceNotes(bus: Bus, notes: readonly Note[]): void {
  for (const { id, sessionId, title, type } of notes)
    bus.publish({ type: "observation.stored", id, sessionId, title, kind: type });
}

/** Notes and answers that a person wrote are never merged: two answers may be alike only in their options. */
export const inTheirWords: ReadonlySet<string> = new Set(["manual", "answer"]);
const maxAlike = 5;

function findAlike(store: Store, note: Note): { id: string } | undefined {
  if (inTheirWords.has(note.provenance)) return undefined;
  return store.index
    .refsBySketch(sketchesOf(note, scopeOf(note)), maxAlike)
    .map((ref) => store.notes.statement(ref))
    .find(
      (other) =>
        other &&
        other.supersededBy === null &&
        other.author === null &&
        !inTheirWords.has(other.provenance) &&
        isSameStatement(other, note),
    );
}

/** Older notes of a session are not compared: they are unlikely to be about the same thing. */
const maxSessionNotes = 60;

/** Finds an earlier note of this session that the new one restates. */
function findRestated(note: Note, ofSession: readonly NoteOutline[]): { id: string } | undefined {
  if (inTheirWords.has(note.provenance)) return undefined;
  return ofSession.find((other) => !inTheirWords.has(other.provenance) && isRetelling(note, other));
}

/** Number of earlier notes of the session that a commit may describe. */
const maxCommitted = 8;

/** The earlier notes of this session whose work the new note's commit contains, closest first. */
function listCommitted(note: Note, ofSession: readonly NoteOutline[]): NoteOutline[] {
  if (note.provenance !== "commit") return [];
  const earlierNotes = ofSession.slice(0, maxCommitted).filter(({ turnId }) => turnId !== note.turnId);
  const lastCommit = earlierNotes.findIndex(({ provenance }) => provenance === "commit");
  return earlierNotes
    .map((earlier, at) => ({
      earlier,
      share: measureCoveredWork(note, earlier, lastCommit < 0 || at < lastCommit),
    }))
    .filter(({ earlier, share }) =>
      earlier.provenance === "commit"
        ? isSameCommit(note, earlier)
        : earlier.provenance === "distil" && share > 0,
    )
    .toSorted((a, b) => b.share - a.share)
    .map(({ earlier }) => earlier);
}

export const maxFacts = 30;

/**
 * Merges notes about work in progress into the message of the commit that concluded it. The message becomes the text of
 * the closest note; what the notes said becomes its facts.
 */
function describeByCommit(store: Store, work: readonly Note[], commit: Note): Note {
  const { type, title, narrative, provenance, updatedAt } = commit;
  const all = work.reduce(mergeNotes, commit);
  const told = work.flatMap((note) => [note.narrative, ...note.facts]);
  const facts = [...commit.facts, ...told.flatMap((fact) => dropGuesses(fact) || [])];
  const text = { title, narrative, facts: dropRepeats(narrative, facts).slice(0, maxFacts) };
  const [{ id, turnId, promptNumber, createdAt, pinnedAt }] = work as [Note, ...Note[]];
  const described: Note = {
    ...all,
    ...text,
    id,
    turnId,
    promptNumber,
    createdAt,
    pinnedAt,
    type,
    provenance,
    updatedAt,
    tokens: countTokens(text),
    hash: hashOf(title, narrative),
  };
  for (const { id: other } of work.slice(1))
    store.notes.supersede(other, id, "its commit describes it", updatedAt);
  store.notes.update(described);
  for (const note of [commit, ...work.slice(1)]) recordTurns(store, id, note);
  indexNote(store, described);
  return described;
}

/** Text of the other note's turns is now part of this one. */
function recordTurns(store: Store, id: string, other: Note): void {
  const further = store.notes.listFurtherTurns(other.id);
  store.notes.addTurns(id, other.turnId === null ? further : [other.turnId, ...further]);
}

/** Stores a note with changed text, in the caller's transaction. */
export function rewriteNote(store: Store, note: Note, at: number): void {
  const { title, narrative } = note;
  const rewritten = { ...note, tokens: countTokens(note), hash: hashOf(title, narrative), updatedAt: at };
  const same = store.notes.byHash(note.projectId, rewritten.hash);
  // Without the withdrawn part it may be another note's text.
  const row = same && same.id !== note.id ? { ...rewritten, hash: note.hash } : rewritten;
  store.notes.update(row);
  indexNote(store, row);
}

function withdrawEarlier(store: Store, note: Note, ofSession: readonly NoteOutline[], doubt: Doubt): void {
  const earlier = ofSession.filter(({ turnId }) => turnId !== note.turnId);
  const lastTurn = earlier[0]?.turnId;
  for (const other of earlier) {
    const because = explainWithdrawal(note, other, other.turnId === lastTurn ? doubt : "none");
    if (because !== undefined) store.notes.supersede(other.id, note.id, because, note.createdAt);
  }
}

/** The longer text, the rest of both as facts, and the files and sources of both. The origin is the earlier note's. */
function mergeNotes(earlier: Note, later: Note): Note {
  const [fuller, other] =
    later.narrative.length > earlier.narrative.length ? [later, earlier] : [earlier, later];
  const both = (list: "concepts" | "filesRead" | "filesModified" | "sourceEvents"): string[] => [
    ...new Set([...earlier[list], ...later[list]]),
  ];
  const { title, narrative, hash } = fuller;
  const isRetold = wordOverlap(other.narrative, [fuller.narrative, ...fuller.facts].join(" ")) >= sameText;
  const told = [...fuller.facts, ...(isRetold ? [] : [other.narrative]), ...other.facts];
  const facts = dropRepeats(narrative, told).slice(0, maxFacts);
  return {
    ...earlier,
    title,
    narrative,
    facts,
    tokens: countTokens({ title, narrative, facts }),
    hash,
    updatedAt: Math.max(earlier.updatedAt, later.updatedAt),
    concepts: both("concepts"),
    filesRead: both("filesRead"),
    filesModified: both("filesModified"),
    sourceEvents: both("sourceEvents"),
  };
}

/** Minimum share of a text's words that another text must have to contain it. */
const sameText = 0.8;

export function countTokens({
  title,
  narrative,
  facts,
}: Pick<Note, "title" | "narrative" | "facts">): number {
  return estimateTokens([title, narrative, ...facts].join("\n"));
}

function scopeOf({ projectId, worktree, type }: Note): string {
  return [projectId, worktree ?? "", type].join(" ");
}

export function indexNote(store: Store, note: Note): void {
  const {
    id,
    projectId,
    sessionId,
    type,
    createdAt,
    title,
    narrative,
    facts,
    concepts,
    filesRead,
    filesModified,
  } = note;
  const body = [narrative, ...facts.filter((fact) => !isWithdrawnFact(fact)), concepts.join(", ")].join("\n");
  store.index.put({
    kind: "observation",
    ref: id,
    projectId,
    sessionId,
    type,
    createdAt,
    title,
    body,
    files: [...filesModified, ...filesRead],
  });
  store.index.putSketches("observation", id, sketchesOf(note, scopeOf(note)));
  store.notes.putClaims(id, claimsOf(note, projectId).own);
}

/** Ignores case, spacing and punctuation: the same words in the same order give the same hash. */
export function hashOf(title: string, narrative: string): string {
  return hash("sha256", listWords(`${title} ${narrative}`).join(" "));
}
