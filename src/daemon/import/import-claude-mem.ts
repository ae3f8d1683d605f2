import { defaultHost } from "../../hosts/hosts.ts";
import type { ImportState } from "../../protocol/import.ts";
import { makeId } from "../../shared/ids.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import { nameOf } from "../../store/tombstones.ts";
import { makeFileNames } from "../memory/file-names.ts";
import { indexPrompt } from "../memory/prompt-indexer.ts";
import { keepNote, type NoteOrigin } from "../memory/keep-note.ts";
import { keepSummary } from "../memory/keep-summary.ts";
import { findOrCreateProject, nameOnlyPath } from "../identity/project-registry.ts";
import { insertImportedSession } from "./imported-session.ts";
import type { ClaudeMemPage, ClaudeMemPosition, ClaudeMemRow } from "../../store/claude-mem-reader.ts";
import { runInSlices } from "../runtime/run-in-slices.ts";
import type { ImportFilesDeps } from "./import-files.ts";

const provenance = "import:claude-mem";

/**
 * Imports the memory of claude-mem. It has few rows, so it is read from the start each time, and known rows are
 * skipped.
 */
export async function importClaudeMem(
  deps: ImportFilesDeps,
  path: string,
  wanted: (row: ClaudeMemRow) => boolean,
  state: ImportState,
  isCancelled: () => boolean,
): Promise<void> {
  const { store, clock, worker } = deps;
  let place: ClaudeMemPosition | undefined;
  do {
    const page: ClaudeMemPage = await worker.call.claudeMem({ path, place });
    state.damaged += page.empty;
    if (!state.dryRun)
      await runInSlices(deps, page.rows.filter(wanted), (row) => {
        if (!isCancelled()) importClaudeMemRow(store, row, state, clock());
      });
    place = page.next;
  } while (place && !isCancelled());
  if (!state.dryRun) state.filesDone = 1;
}

/**
 * Writes and counts a row of another memory's database, in the caller's transaction. An existing row is not changed.
 */
export function importClaudeMemRow(store: Store, row: ClaudeMemRow, state: ImportState, nowMs: number): void {
  if (isForgotten(store, row, nowMs)) return;
  const project = findProject(store, row, nowMs);
  if (project.mode === "off") return;
  const { sessionId, promptNumber } = row;
  const at = row.at || nowMs;
  const place = {
    projectId: project.id,
    files: makeFileNames(project.path, null),
    turnId: null,
    sessionId,
    promptNumber,
    at,
  };
  if (row.kind === "observation") {
    const { kind: _kind, at: _at, project: _project, ...note } = row;
    const { isNew } = keepNote(store, { note: { ...note, sourceEvents: [], provenance }, place });
    if (isNew) state.notes += 1;
    else state.turnsKnown += 1;
  } else if (row.kind === "summary") {
    const { fields, filesRead, filesModified } = row;
    const isKnown = store.summaries
      .ofSession(sessionId)
      .some(({ createdAt, request }) => createdAt === at && request === fields.request);
    if (isKnown) state.turnsKnown += 1;
    else {
      keepSummary(store, { ...fields, filesRead, filesModified }, place, provenance);
      state.summaries += 1;
    }
  } else keepPrompt(store, row, project, place, state, nowMs);
}

function isForgotten(store: Store, row: ClaudeMemRow, nowMs: number): boolean {
  const { tombstones } = store;
  const { sessionId, kind, at, promptNumber } = row;
  const name =
    kind === "prompt"
      ? nameOf.key(promptKey(sessionId, promptNumber, at))
      : nameOf.foreign(sessionId, kind, at);
  return (
    tombstones.has(name) ||
    tombstones.covers(pathOf(store, row), at) ||
    tombstones.matchesForgotten(() => JSON.stringify(row), nowMs)
  );
}

function promptKey(sessionId: string, promptNumber: number | null, at: number): string {
  return `claude-mem:${sessionId}:${promptNumber ?? at}`;
}

/** The project of the session if it is known; else one with that name; else a new one whose folder is not known yet. */
function pathOf(store: Store, { sessionId, project: name }: ClaudeMemRow): string {
  const known = store.sessions.byId(sessionId)?.project;
  return known ?? store.projects.named(name).at(-1)?.path ?? nameOnlyPath(name);
}

function findProject(store: Store, row: ClaudeMemRow, nowMs: number): ProjectRow {
  return findOrCreateProject(store, pathOf(store, row), nowMs);
}

function keepPrompt(
  store: Store,
  { sessionId, text, promptNumber }: Extract<ClaudeMemRow, { kind: "prompt" }>,
  project: ProjectRow,
  place: NoteOrigin,
  state: ImportState,
  nowMs: number,
): void {
  const key = promptKey(sessionId, promptNumber, place.at);
  if (store.turns.byKey(key) || store.turns.hasPrompt(sessionId, text)) {
    state.turnsKnown += 1;
    return;
  }
  if (!store.sessions.byId(sessionId)) {
    const nothing = { cwd: null, transcriptPath: null, branch: null };
    const times = { startedAt: place.at, lastEventAt: place.at };
    insertImportedSession(
      store,
      project,
      { id: sessionId, host: defaultHost.name, ...nothing, ...times },
      nowMs,
    );
    state.sessions += 1;
  }
  const turnId = makeId(place.at);
  store.turns.insert({
    id: turnId,
    sessionId,
    promptId: null,
    originKind: "human",
    outcome: "completed",
    lastAssistantMessage: null,
    startedAt: place.at,
    endedAt: place.at,
  });
  store.turns.setKey(turnId, key);
  store.turns.markDistilled(turnId, nowMs);
  const prompt = { eventId: key, sessionId, turnId, promptId: null, text, machine: false };
  store.turns.insertPrompt({ ...prompt, occurredAt: place.at });
  indexPrompt(store, key, text, place);
  state.turns += 1;
  state.prompts += 1;
}
