import { type Context, type ContextNote, makeContext } from "../../domain/memory/context.ts";
import type { ContextSession } from "../../domain/memory/context-sessions.ts";
import type { NoteOrigin } from "../../domain/memory/note-origin.ts";
import type { NoteSource } from "../../domain/memory/note-score.ts";
import type { Note } from "../../store/notes.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { ClockFormat } from "../../domain/memory/clock-format.ts";

interface StartRequest {
  project: ProjectRow;
  /** Name of the session's checkout, unless it is the project's main one. */
  worktree: string | null;
  /** Id of a resumed session; notes that it was shown or that come from it are left out. */
  resumed?: string;
  limits: { observations: number; summaries: number; tokens: number };
  maxCharacters: number;
  clock: ClockFormat;
  /** Whether notes of machine accounts are included. */
  withMachines: boolean;
}

/** Maximum number of notes to rank, by kind: a session waits for this. Lasting kinds are read whatever their age. */
const maxCandidates = { lasting: 120, other: 200 };
const otherTypes = ["bugfix", "problem-solution", "feature", "refactor", "change", "discovery", "gotcha"];

/** The context of a starting session: reads the candidates; the domain chooses. */
export function makeStartContext(store: Store, request: StartRequest): Context {
  const { project, worktree, resumed, limits, maxCharacters, clock } = request;
  const { notes } = store;
  const candidates = [
    ...notes.pinned(project.id).filter(({ supersededBy }) => supersededBy === null),
    ...notes.listCurrent(project.id, maxCandidates.lasting, ["preference"]),
    ...notes.listCurrent(project.id, maxCandidates.lasting, ["decision"]),
    ...notes.listCurrent(project.id, maxCandidates.other, otherTypes),
  ].filter(({ id, sessionId, byMachine }) => {
    if (byMachine && !request.withMachines) return false;
    if (resumed === undefined) return true;
    return sessionId !== resumed && !store.injections.wasShown(resumed, "observation", id);
  });
  const unique = [...new Map(candidates.map((note) => [note.id, note])).values()];
  const since = resumed === undefined ? 0 : store.injections.lastStart(resumed);
  const { recentSessions, listWithOpenEnds } = store.summaries;
  const found = [
    ...recentSessions(project.id, limits.summaries),
    ...listWithOpenEnds(project.id, limits.summaries),
  ];
  const sessions = [...new Map(found.map((summary) => [summary.id, summary])).values()]
    .toSorted((a, b) => b.createdAt - a.createdAt)
    .filter(({ sessionId, createdAt }) => sessionId !== resumed && createdAt > since)
    .map(
      (summary): ContextSession => ({
        ...summary,
        worktree: nameOther(store.notes.worktreeOf(summary.sessionId), worktree),
      }),
    );
  return makeContext({
    project: project.name,
    notes: limits.observations === 0 ? [] : unique.map((note) => toContextNote(store, note, worktree)),
    sessions,
    clock,
    budgetTokens: limits.tokens,
    maxCharacters,
    maxRows: limits.observations,
    maxSessions: limits.summaries,
    shortIdOf: store.notes.shortIdOf,
  });
}

function toContextNote(store: Store, note: Note, worktree: string | null): ContextNote {
  return {
    ...note,
    files: [...note.filesModified, ...note.filesRead],
    hasEdits: note.filesModified.length > 0,
    turnsAfter: note.type === "decision" ? countTurnsAfter(store, note) : 0,
    worktree: nameOther(note.worktree, worktree),
    source: sourceOf(store, note),
    isPinned: note.pinnedAt !== null,
    origin: originOf(store, note),
    uses: store.injections.countUses(note.id),
  };
}

function countTurnsAfter(store: Store, { sessionId, turnId }: Note): number {
  const number = turnId === null ? undefined : store.turns.numberOf(turnId);
  return sessionId === null || number === undefined ? 0 : store.turns.countOfSession(sessionId) - number;
}

/**
 * A note taken from a prompt has that prompt as its only source. An answer counts as the user's if it refuses or
 * chooses, not if it agrees to words of the agent.
 */
function sourceOf(store: Store, { provenance, type, narrative, sourceEvents }: Note): NoteSource {
  if (provenance === "commit") return "commit";
  if (provenance !== "distil" && provenance !== "answer") return "composed";
  const [source = "", ...more] = sourceEvents;
  const isUsers =
    provenance === "answer"
      ? type === "preference" || narrative.startsWith("Asked: ")
      : more.length === 0 && store.turns.isPrompt(source);
  return isUsers ? "user" : "agent";
}

/** Only a shared project has notes of others, so only there disputes are read. */
export function originOf(store: Store, { id, author, projectId }: Note): NoteOrigin {
  if (!store.hub.linkOf(projectId)) return undefined;
  return { author, disputedBy: store.notes.disputedBy(id) };
}

function nameOther(worktree: string | null, own: string | null): string | null {
  return worktree === own ? null : worktree;
}
