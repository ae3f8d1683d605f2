import { createHash } from "node:crypto";
import { isAbsolute, relative, sep } from "node:path";
import { estimateTokens } from "../../domain/memory/tokens.ts";
import type { Distilled, TurnSummary } from "../../domain/memory/turn-record.ts";
import { listWords } from "../../domain/memory/words.ts";
import { makeId } from "../../shared/ids.ts";
import type { Observation } from "../../store/observations.ts";
import type { Store } from "../../store/open-store.ts";
import type { Summary } from "../../store/summaries.ts";
import { supersedeByRule } from "./supersede.ts";

/** Where something was learned. */
export interface Place {
  projectId: string;
  /** Files are kept relative to this. */
  root: string;
  worktree: string | null;
  sessionId: string | null;
  turnId: string | null;
  promptNumber: number | null;
  at: number;
}

/** Writes an observation and makes it findable, in the caller's transaction. Undefined if the project has it already. */
export function keepObservation(
  store: Store,
  note: Distilled | (Omit<Distilled, "provenance"> & { provenance: string }),
  place: Place,
): Observation | undefined {
  const relativeTo = (files: readonly string[]): string[] =>
    files.map((file) => toRelative(place.root, file));
  const observation: Observation = {
    ...note,
    id: makeId(place.at),
    projectId: place.projectId,
    worktree: place.worktree,
    sessionId: place.sessionId,
    turnId: place.turnId,
    promptNumber: place.promptNumber,
    filesRead: relativeTo(note.filesRead),
    filesModified: relativeTo(note.filesModified),
    tokens: estimateTokens([note.title, note.narrative, ...note.facts].join("\n")),
    hash: hashOf(note.title, note.narrative),
    createdAt: place.at,
    updatedAt: place.at,
    ...{ supersededBy: null, supersededBecause: null },
  };
  if (!store.observations.insert(observation)) return undefined;
  indexObservation(store, observation);
  supersedeByRule(store, observation);
  return observation;
}

export function indexObservation(store: Store, observation: Observation): void {
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
}

export function keepSummary(
  store: Store,
  summary: TurnSummary,
  place: Place & { sessionId: string },
  provenance = "distil",
): Summary {
  const relativeTo = (files: readonly string[]): string[] =>
    files.map((file) => toRelative(place.root, file));
  const row: Summary = {
    ...summary,
    id: (place.turnId && store.summaries.ofTurn(place.turnId)?.id) ?? makeId(place.at),
    projectId: place.projectId,
    sessionId: place.sessionId,
    turnId: place.turnId,
    filesRead: relativeTo(summary.filesRead),
    filesModified: relativeTo(summary.filesModified),
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

/** The same words in the same order are the same thing, whatever their case, spacing and punctuation. */
export function hashOf(title: string, narrative: string): string {
  return createHash("sha256")
    .update(listWords(`${title} ${narrative}`).join(" "))
    .digest("hex");
}

export function toRelative(root: string, file: string): string {
  if (!isAbsolute(file)) return file.split(sep).join("/");
  const path = relative(root, file);
  return path.startsWith("..") || isAbsolute(path) ? file : path.split(sep).join("/");
}
