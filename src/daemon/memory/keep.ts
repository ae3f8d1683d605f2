import { isRetelling, withdraws } from "../../domain/memory/retell.ts";
import { createHash } from "node:crypto";
import { isSameStatement, sketchesOf } from "../../domain/memory/alike.ts";
import { claimsOf } from "../../domain/memory/supersede.ts";
import { estimateTokens } from "../../domain/memory/tokens.ts";
import type { Distilled, TurnSummary } from "../../domain/memory/turn-record.ts";
import { listWords } from "../../domain/memory/words.ts";
import { makeId } from "../../shared/ids.ts";
import type { Note } from "../../store/notes.ts";
import type { Store } from "../../store/open-store.ts";
import type { Summary } from "../../store/summaries.ts";
import type { FileNames } from "./file-names.ts";
import { reviveSaidAgain, supersedeByRule } from "./supersede.ts";

/** The origin of a note. */
export interface Place {
  projectId: string;
  /** Names its files and its checkout. */
  files: FileNames;
  sessionId: string | null;
  turnId: string | null;
  promptNumber: number | null;
  at: number;
}

type NewNote = Distilled | (Omit<Distilled, "provenance"> & { provenance: string });

/**
 * Stores and indexes an observation, in the caller's transaction. Undefined if the project already has it; a
 * near-identical one is merged into the existing note.
 */
export function keepNote(store: Store, note: NewNote, place: Place, isDoubted = false): Note | undefined {
  const observation: Note = {
    ...note,
    id: makeId(place.at),
    projectId: place.projectId,
    worktree: place.files.worktree,
    sessionId: place.sessionId,
    turnId: place.turnId,
    promptNumber: place.promptNumber,
    filesRead: note.filesRead.map(place.files.nameOf),
    filesModified: note.filesModified.map(place.files.nameOf),
    tokens: estimateTokens([note.title, note.narrative, ...note.facts].join("\n")),
    hash: hashOf(note.title, note.narrative),
    createdAt: place.at,
    updatedAt: place.at,
    supersededBy: null,
    supersededBecause: null,
    worth: note.worth ?? null,
    pinnedAt: null,
  };
  const same = store.notes.byHash(place.projectId, observation.hash);
  if (same) {
    reviveSaidAgain(store, same, place.at);
    return undefined;
  }
  const ofSession = place.sessionId === null ? [] : store.notes.ofSession(place.sessionId, maxSessionNotes);
  const earlier = findAlike(store, observation) ?? findRetold(observation, ofSession);
  if (earlier) {
    const merged = mergeNotes(earlier, observation);
    store.notes.update(merged);
    indexNote(store, merged);
    return undefined;
  }
  store.notes.insert(observation);
  indexNote(store, observation);
  supersedeByRule(store, observation);
  withdrawEarlier(store, observation, ofSession, isDoubted);
  return observation;
}

/** Notes and answers that a person wrote are never merged: two answers may be alike only in their options. */
const inTheirWords = new Set(["manual", "answer"]);
const maxAlike = 5;

function findAlike(store: Store, observation: Note): Note | undefined {
  if (inTheirWords.has(observation.provenance)) return undefined;
  return store.index
    .refsBySketch(sketchesOf(observation, scopeOf(observation)), maxAlike)
    .map((ref) => store.notes.byId(ref))
    .find(
      (other) =>
        other &&
        other.supersededBy === null &&
        !inTheirWords.has(other.provenance) &&
        isSameStatement(other, observation),
    );
}

/** Older notes of a session are not compared: they are unlikely to be about the same thing. */
const maxSessionNotes = 60;

/** Finds an earlier note of this session that the new one restates. */
function findRetold(note: Note, ofSession: readonly Note[]): Note | undefined {
  if (inTheirWords.has(note.provenance)) return undefined;
  return ofSession.find((other) => !inTheirWords.has(other.provenance) && isRetelling(note, other));
}

function withdrawEarlier(store: Store, note: Note, ofSession: readonly Note[], isDoubted: boolean): void {
  const earlier = ofSession.filter(({ turnId }) => turnId !== note.turnId);
  const lastTurn = earlier[0]?.turnId;
  for (const other of earlier) {
    const because = withdraws(note, other, isDoubted && other.turnId === lastTurn);
    if (because !== undefined) store.notes.supersede(other.id, note.id, because, note.createdAt);
  }
}

/** Takes the longer text, and the files and sources of both; the origin is that of the first. */
function mergeNotes(earlier: Note, later: Note): Note {
  const fuller = later.narrative.length > earlier.narrative.length ? later : earlier;
  const both = (list: "concepts" | "filesRead" | "filesModified" | "sourceEvents"): string[] => [
    ...new Set([...earlier[list], ...later[list]]),
  ];
  const { title, narrative, facts, tokens, hash } = fuller;
  return {
    ...earlier,
    title,
    narrative,
    facts,
    tokens,
    hash,
    updatedAt: Math.max(earlier.updatedAt, later.updatedAt),
    concepts: both("concepts"),
    filesRead: both("filesRead"),
    filesModified: both("filesModified"),
    sourceEvents: both("sourceEvents"),
  };
}

function scopeOf({ projectId, worktree, type }: Note): string {
  return [projectId, worktree ?? "", type].join(" ");
}

export function indexNote(store: Store, observation: Note): void {
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
  } = observation;
  const body = [narrative, ...facts, concepts.join(", ")].join("\n");
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
  store.index.putSketches("observation", id, sketchesOf(observation, scopeOf(observation)));
  store.notes.putClaims(id, claimsOf(observation, projectId).own);
}

export function keepSummary(
  store: Store,
  summary: TurnSummary,
  place: Place & { sessionId: string },
  provenance = "distil",
): Summary {
  const row: Summary = {
    ...summary,
    id: (place.turnId && store.summaries.ofTurn(place.turnId)?.id) ?? makeId(place.at),
    projectId: place.projectId,
    sessionId: place.sessionId,
    turnId: place.turnId,
    filesRead: summary.filesRead.map(place.files.nameOf),
    filesModified: summary.filesModified.map(place.files.nameOf),
    provenance,
    createdAt: place.at,
  };
  store.summaries.put(row);
  indexSummary(store, row);
  return row;
}

export function indexSummary(store: Store, row: Summary): void {
  const {
    id,
    projectId,
    sessionId,
    createdAt,
    request,
    completed,
    learned,
    nextSteps,
    filesRead,
    filesModified,
  } = row;
  const body = [completed, learned, nextSteps].filter(Boolean).join("\n");
  store.index.put({
    kind: "summary",
    ref: id,
    projectId,
    sessionId,
    type: null,
    createdAt,
    title: request,
    body,
    files: [...filesModified, ...filesRead],
  });
}

export function indexPrompt(
  store: Store,
  eventId: string,
  text: string,
  place: Pick<Place, "projectId" | "sessionId" | "at">,
): void {
  // Our own slash commands would be the best match for the words they search for.
  if (text.startsWith("/rookery:")) return;
  const { projectId, sessionId, at } = place;
  store.index.put({
    kind: "prompt",
    ref: eventId,
    projectId,
    sessionId,
    type: null,
    createdAt: at,
    title: "",
    body: text,
    files: [],
  });
}

/** Ignores case, spacing and punctuation: the same words in the same order give the same hash. */
export function hashOf(title: string, narrative: string): string {
  return createHash("sha256")
    .update(listWords(`${title} ${narrative}`).join(" "))
    .digest("hex");
}
