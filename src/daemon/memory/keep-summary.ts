import type { TurnSummary } from "../../domain/memory/turn-record.ts";
import { makeId } from "../../shared/ids.ts";
import type { Store } from "../../store/open-store.ts";
import type { Summary } from "../../store/summaries.ts";
import type { NoteOrigin } from "./keep-note.ts";

/** Stores and indexes the summary of a turn, in the caller's transaction. A second one replaces the first. */
export function keepSummary(
  store: Store,
  summary: TurnSummary,
  place: NoteOrigin & { sessionId: string },
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
