import { listOpenEnds } from "../../domain/memory/open-ends.ts";
import { type SessionTurn, summariseSession } from "../../domain/memory/session-summary.ts";
import { makeId } from "../../shared/ids.ts";
import type { Store } from "../../store/open-store.ts";
import { readLaterTurns, readSessionTurns, type TurnWords } from "../../store/session-turns.ts";
import { sessionProvenance, type Summary } from "../../store/summaries.ts";
import type { Pace } from "../runtime/pace.ts";
import { indexSummary } from "./keep-summary.ts";

/** Number of earlier sessions whose unfinished work is checked again after a new turn. */
const maxUnfinished = 5;

/**
 * Writes the summary of a session from its kept turns, in the caller's transaction, and rewrites it as the session
 * continues. A new turn may also complete unfinished work of earlier sessions.
 */
export function keepSession(store: Store, sessionId: string): Summary | undefined {
  const kept = writeSummary(store, sessionId);
  if (kept)
    for (const earlier of store.summaries.unfinished(kept.projectId, maxUnfinished))
      if (earlier.sessionId !== sessionId) writeSummary(store, earlier.sessionId);
  return kept;
}

function writeSummary(store: Store, sessionId: string): Summary | undefined {
  const session = store.sessions.byId(sessionId);
  const project = session && store.projects.byPath(session.project);
  const summaries = store.summaries.ofTurns(sessionId);
  const before = store.summaries.ofWholeSession(sessionId);
  const at = summaries.at(-1)?.createdAt;
  if (!project || at === undefined) {
    if (before) removeSummary(store, before.id);
    return undefined;
  }
  const bySummary = new Map(summaries.map((summary) => [summary.turnId, summary]));
  const notes = Map.groupBy(store.notes.currentOfSession(sessionId), ({ turnId }) => turnId);
  const turns = readSessionTurns(store.db, sessionId).map(
    ({ id, ...words }): SessionTurn => ({
      ...words,
      summary: bySummary.get(id),
      notes: notes.get(id) ?? [],
    }),
  );
  const hasOpen = summaries.slice(-3).some(({ nextSteps }) => listOpenEnds(nextSteps).length > 0);
  const later = hasOpen ? readLaterTurns(store.db, { project: project.path, sessionId, after: at }) : [];
  const summary = summariseSession({ title: session.title, turns, later: later.map(tellLater) });
  if (!summary) return undefined;
  const row: Summary = {
    ...summary,
    id: before?.id ?? makeId(at),
    projectId: project.id,
    sessionId,
    turnId: null,
    provenance: sessionProvenance,
    createdAt: at,
  };
  if (before && JSON.stringify({ ...before, ...row }) === JSON.stringify(before)) return before;
  store.summaries.put(row);
  indexSummary(store, row);
  return row;
}

function tellLater({ prompt, final }: TurnWords): { prompt: string; told: string } {
  return { prompt, told: final };
}

function removeSummary(store: Store, id: string): void {
  store.index.remove("summary", id);
  store.summaries.remove(id);
}

/** Sessions per transaction: one takes a millisecond or two. */
const perSlice = 10;

/** Summarises all sessions whose summary is missing or outdated: after an import, an upgrade or a deletion. */
export async function keepStaleSessions(
  store: Store,
  { yieldToHooks }: Pick<Pace, "yieldToHooks">,
): Promise<void> {
  const stale = store.summaries.staleSessions();
  for (let next = 0; next < stale.length; next += perSlice) {
    await yieldToHooks();
    store.db.transaction(() => {
      for (const sessionId of stale.slice(next, next + perSlice)) writeSummary(store, sessionId);
    });
  }
}
