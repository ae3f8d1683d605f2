import type { ExportLine } from "../../protocol/export.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import { insertPortable, type PortableRow } from "../../store/portable.ts";
import { nameOf } from "../../store/tombstones.ts";
import { indexPrompt } from "../memory/prompt-indexer.ts";
import { keepNote } from "../memory/keep-note.ts";
import { indexSummary } from "../memory/keep-summary.ts";
import { findSeat } from "./imported-session.ts";
import type { ImportRequest, ImportState } from "../../protocol/import.ts";
import { runInSlices } from "../runtime/run-in-slices.ts";
import type { JsonlPage } from "./read-jsonl.ts";
import type { ImportFilesDeps } from "./import-files.ts";
import { fileSize } from "../../shared/regular-file.ts";

/** Imports an export of this or another Rookery. Reads from the start each time and skips known rows. */
export async function importJsonl(
  deps: ImportFilesDeps,
  { path, project, since, dryRun }: ImportRequest,
  state: ImportState,
  isCancelled: () => boolean,
): Promise<void> {
  state.files = 1;
  state.bytes = fileSize(path);
  const keeper = makeExportImporter(deps.store, { project, since }, state, deps.clock());
  let page: JsonlPage | undefined;
  do {
    page = await deps.worker.call.jsonl({ path, fromByte: page?.nextByte ?? 0 });
    state.damaged += page.damaged;
    if (!dryRun) await runInSlices(deps, page.rows, keeper.add);
    state.bytesDone = page.nextByte;
  } while (!page.isLast && !isCancelled());
  if (!dryRun) state.filesDone = 1;
}

type RowOf<Kind extends ExportLine["kind"]> = Extract<ExportLine, { kind: Kind }>;

/** Writes the rows of an export. Existing rows are not changed, and forgotten ones are not restored. */
interface ExportImporter {
  /** Runs in the caller's transaction. */
  add(row: ExportLine): void;
}

interface WantedRows {
  project: string | undefined;
  since: number;
}

export function makeExportImporter(
  store: Store,
  { project: wanted, since }: WantedRows,
  state: ImportState,
  nowMs: number,
): ExportImporter {
  const { db, tombstones } = store;
  /** Maps ids of projects and turns in the file to ids here; `undefined` for rows that are left out. */
  const projects = new Map<string, string | undefined>();
  const turns = new Map<string, string | undefined>();
  /** Project ids by the folder that sessions name. */
  const idOfPath = new Map<string, string>();

  function keepProject(row: RowOf<"project">): void {
    idOfPath.set(row.path, row.id);
    const isWanted = wanted === undefined || [row.id, row.name, row.path].includes(wanted);
    const known = store.projects.byId(row.id) ?? store.projects.byPath(row.path);
    if (!isWanted || known?.mode === "off") return void projects.set(row.id, undefined);
    if (!known) insertPortable(db, row);
    projects.set(row.id, known?.id ?? row.id);
  }

  /** The local project, if its rows from that time may be imported. */
  function placeOf(projectId: string, at: number): ProjectRow | undefined {
    const id = projects.get(projectId);
    const project = id === undefined || at < since ? undefined : store.projects.byId(id);
    return project && !tombstones.covers(project.path, at) ? project : undefined;
  }

  function keepSession(row: RowOf<"session">): void {
    const project = placeOf(idOfPath.get(row.project) ?? "", row.last_event_at);
    if (!project || store.sessions.byId(row.id)) return;
    const agent = findSeat(store, project, row.id, nowMs);
    const over = { status: "ended", status_at: row.last_event_at, end_reason: "import" };
    if (insertPortable(db, row, { ...over, project: project.path, agent_id: agent.id })) state.sessions += 1;
  }

  function keepTurn(row: RowOf<"turn">): void {
    const { id, session_id: sessionId, prompt_id: promptId, transcript_key: key } = row;
    if (!store.sessions.byId(sessionId) || tombstones.hasTurn({ sessionId, promptId, key })) return;
    const known =
      (promptId === null ? undefined : store.turns.byPrompt(sessionId, promptId)) ??
      (key === null ? undefined : store.turns.byKey(key));
    const isNew = !known && insertPortable(db, row, { distilled_at: nowMs });
    turns.set(id, known?.id ?? id);
    if (isNew) state.turns += 1;
    else state.turnsKnown += 1;
  }

  function keepPrompt(row: RowOf<"prompt">): void {
    const turnId = turns.get(row.turn_id);
    const session = store.sessions.byId(row.session_id);
    const project = session && store.projects.byPath(session.project);
    if (!turnId || !project || tombstones.has(nameOf.document(row.event_id))) return;
    if (store.turns.hasPrompt(row.session_id, row.text)) return;
    if (!insertPortable(db, row, { turn_id: turnId })) return;
    state.prompts += 1;
    const place = { projectId: project.id, sessionId: row.session_id, at: row.occurred_at };
    if (row.machine === 0 && row.text)
      indexPrompt(store, row.event_id, row.text, place, store.turns.answerOf(turnId));
  }

  function keepSummary(row: RowOf<"summary">): void {
    const project = placeOf(row.project_id, row.created_at);
    const turnId = row.turn_id === null ? null : (turns.get(row.turn_id) ?? row.turn_id);
    if (!project || isGone(row.id, turnId)) return;
    if (turnId !== null && store.summaries.ofTurn(turnId)) return;
    if (!insertPortable(db, row, { project_id: project.id, turn_id: turnId })) return;
    state.summaries += 1;
    const [kept] = store.summaries.ofSession(row.session_id).filter(({ id }) => id === row.id);
    if (kept) indexSummary(store, kept);
  }

  function keepObservation(row: RowOf<"observation">): void {
    const project = placeOf(row.project_id, row.created_at);
    const turnId = row.turn_id === null ? null : (turns.get(row.turn_id) ?? row.turn_id);
    if (!project || isGone(row.id, turnId)) return;
    if (keepNote(store, { exported: row, projectId: project.id, turnId }).isNew) state.notes += 1;
  }

  function isGone(id: string, turnId: string | null): boolean {
    return (
      tombstones.has(nameOf.document(id)) ||
      (turnId !== null && tombstones.has(nameOf.turn(turnId))) ||
      store.hub.isForgotten(id)
    );
  }

  const keepers: { [Kind in PortableRow["kind"]]: (row: RowOf<Kind>) => void } = {
    project: keepProject,
    session: keepSession,
    turn: keepTurn,
    prompt: keepPrompt,
    summary: keepSummary,
    observation: keepObservation,
  };
  return {
    add(row) {
      if (row.kind === "rookery-export" || row.kind === "end") return;
      if (tombstones.matchesForgotten(() => JSON.stringify(row), nowMs)) return;
      (keepers[row.kind] as (row: ExportLine) => void)(row);
    },
  };
}
