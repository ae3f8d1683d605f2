import { isClosed, joinOpenEnds, type LaterTurn, splitOpenEnds } from "../../domain/memory/open-ends.ts";
import { isWork } from "../../domain/memory/note-score.ts";
import { type SessionTurn, summariseSession } from "../../domain/memory/session-summary.ts";
import { makeId } from "../../shared/ids.ts";
import type { Note } from "../../store/notes.ts";
import type { Store } from "../../store/open-store.ts";
import {
  listLaterTurns,
  readLastTurn,
  readLaterTurn,
  readSessionTurns,
  type TurnText,
} from "../../store/session-turns.ts";
import { sessionProvenance, type Summary } from "../../store/summaries.ts";
import type { Pace } from "../runtime/pace.ts";
import { indexSummary } from "./keep-summary.ts";

/** Number of earlier sessions whose unfinished work is checked after a new turn. */
const maxUnfinished = 10;

/**
 * Writes the summary of a session from its kept turns, in the caller's transaction, and rewrites it as the session
 * continues. Its last turn may also complete unfinished work of earlier sessions.
 */
export function keepSession(store: Store, sessionId: string): Summary | undefined {
  const kept = writeSummary(store, sessionId);
  const last = kept && readLastTurn(store.db, sessionId);
  if (!last) return kept;
  // A commit may be merged into a note of an earlier turn, so all notes of the session count.
  const later = { ...toLaterTurn(store, last), did: listWork(store.notes.currentOfSession(sessionId)) };
  for (const earlier of store.summaries.listWithOpenEnds(kept.projectId, maxUnfinished))
    if (earlier.sessionId !== sessionId && earlier.createdAt < last.endedAt)
      closeOpenEnds(store, earlier, later);
  return kept;
}

function closeOpenEnds(store: Store, summary: Summary, later: LaterTurn): void {
  const open = splitOpenEnds(summary.nextSteps);
  const left = open.filter((openEnd) => !isClosed(openEnd, [later]));
  if (left.length < open.length) putSummary(store, { ...summary, nextSteps: joinOpenEnds(left) });
}

function writeSummary(
  store: Store,
  sessionId: string,
  laterTurn = makeLaterReader(store),
): Summary | undefined {
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
  const ofSession = { title: session.title, turns };
  const own = summariseSession({ ...ofSession, later: [] });
  const hasOpen = own !== undefined && own.nextSteps !== "";
  const later = hasOpen
    ? listLaterTurns(store.db, { project: project.path, sessionId, after: at }).flatMap(laterTurn)
    : [];
  const summary = later.length === 0 ? own : summariseSession({ ...ofSession, later });
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
  putSummary(store, row);
  return row;
}

function putSummary(store: Store, row: Summary): void {
  store.summaries.put(row);
  indexSummary(store, row);
}

/** Size of the cache of later turns: one turn is later than many sessions, and is read for each of them. */
const maxRemembered = 4_000;

function makeLaterReader(store: Store): (id: string) => LaterTurn[] {
  const known = new Map<string, LaterTurn[]>();
  return (id) => {
    let turns = known.get(id);
    if (!turns) {
      const read = readLaterTurn(store.db, id);
      turns = read ? [toLaterTurn(store, read)] : [];
      if (known.size >= maxRemembered) known.clear();
      known.set(id, turns);
    }
    return turns;
  };
}

function toLaterTurn(store: Store, { id, prompt, final }: TurnText): LaterTurn {
  return { prompt, told: final, did: listWork(store.notes.ofTurn(id)) };
}

function listWork(notes: readonly Note[]): string[] {
  return notes.filter(({ type }) => isWork(type)).map(({ title, narrative }) => `${title} ${narrative}`);
}

function removeSummary(store: Store, id: string): void {
  store.index.remove("summary", id);
  store.summaries.remove(id);
}

/** Summarises all sessions whose summary is missing or outdated: after an import, an upgrade or a deletion. */
export async function keepStaleSessions(store: Store, { yieldToHooks, sliceMs }: Pace): Promise<void> {
  const stale = store.summaries.listStaleSessions();
  const laterTurn = makeLaterReader(store);
  for (let next = 0; next < stale.length; ) {
    await yieldToHooks();
    store.db.transaction(() => {
      const until = performance.now() + sliceMs();
      do writeSummary(store, stale[next++] as string, laterTurn);
      while (next < stale.length && performance.now() < until);
    });
  }
}
