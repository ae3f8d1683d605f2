import { encodeNote, isShareable } from "../../domain/hub/share-note.ts";
import type { HubSession, OutgoingRow, PushOutcome } from "../../hub/hub-session.ts";
import { sqlStateOf } from "../../hub/sql-state.ts";
import { sharedNoteVersion } from "../../protocol/hub.ts";
import type { HubLink, QueuedNote } from "../../store/hub.ts";
import type { Note } from "../../store/notes.ts";
import type { Store } from "../../store/open-store.ts";
import { makePace } from "../runtime/pace.ts";
import type { DaemonContext } from "../runtime/context.ts";

export interface PushDeps extends Pick<DaemonContext, "store" | "waitingHooks"> {
  /** The user's home folder: its path stays here. */
  homeFolder: string;
  /** Removes every trace of notes, including their bytes, and prevents them from coming back. */
  forgetNotes(ids: readonly string[]): Promise<void>;
  /** Called for every record that the hub has forgotten. */
  onGone(hubId: string, seq: number): void;
}

const maxRows = 200;
const maxBytes = 4_000_000;
/** Notes that are redacted before hooks get their turn. */
const notesPerSlice = 10;

/** Sends everything in the outbox of a project, as it is now. Returns whether there was anything. */
export async function pushProject(deps: PushDeps, session: HubSession, link: HubLink): Promise<boolean> {
  for (let hasSent = false; ; hasSent = true) {
    const queued = deps.store.hub.queued(link.hubId, maxRows);
    if (queued.length === 0 || isPaused(deps.store, link)) return hasSent;
    const batch = await readBatch(deps, link, queued);
    const forgotten =
      batch.removed.length === 0
        ? []
        : await session.forget(
            link.hubId,
            batch.removed.map(({ id }) => id),
          );
    const sent = await sendRows(session, link.hubId, batch.rows);
    const outcomes = [...forgotten, ...sent];
    const copies = listForgottenCopies(deps.store, link, outcomes);
    record(deps, link, batch.taken, outcomes);
    if (copies.length > 0) await deps.forgetNotes(copies);
  }
}

/** A project that was turned off or isolated after it was shared sends nothing. A deleted one sends its removals. */
function isPaused(store: Store, { projectId }: HubLink): boolean {
  const project = store.projects.byId(projectId);
  return project !== undefined && project.mode !== "on";
}

interface Batch {
  rows: OutgoingRow[];
  removed: QueuedNote[];
  /** The entries of the outbox that this batch answers. */
  taken: QueuedNote[];
}

async function readBatch(
  { store, waitingHooks, homeFolder }: PushDeps,
  link: HubLink,
  queued: readonly QueuedNote[],
): Promise<Batch> {
  const pace = makePace(waitingHooks);
  const batch: Batch = { rows: [], removed: [], taken: [] };
  let bytes = 0;
  for (const [index, entry] of queued.entries()) {
    if (index % notesPerSlice === 0) await pace.yieldToHooks();
    const note = store.notes.byId(entry.id);
    const record = store.hub.record(link.hubId, entry.id);
    if (note && isShareable(note, link)) {
      const row = makeRow(note, homeFolder);
      bytes += JSON.stringify(row.body).length;
      if (bytes > maxBytes && batch.rows.length > 0) break;
      batch.rows.push(row);
    } else if (!note || record?.state === "kept") batch.removed.push(entry);
    batch.taken.push(entry);
    if (note && !isShareable(note, link) && record?.state !== "kept") store.hub.settle(link.hubId, entry);
  }
  return batch;
}

function makeRow(note: Note, homeFolder: string): OutgoingRow {
  const { body } = encodeNote(note, homeFolder);
  return { id: note.id, kind: "note", version: sharedNoteVersion, madeAt: note.createdAt, body };
}

/** Errors that a row causes: data, constraints, sizes, our own checks. */
const rowFault = /^(?:22|23|54|RK005)/;

/** A batch that is refused for one of its rows is halved until that row is alone. */
async function sendRows(
  session: HubSession,
  hubId: string,
  rows: readonly OutgoingRow[],
): Promise<PushOutcome[]> {
  if (rows.length === 0) return [];
  try {
    return await session.push(hubId, rows);
  } catch (error) {
    if (!rowFault.test(sqlStateOf(error) ?? "")) throw error;
    if (rows.length === 1) return rows.map(({ id }) => ({ id, outcome: "not valid", seq: null }));
    const half = rows.length >> 1;
    return [
      ...(await sendRows(session, hubId, rows.slice(0, half))),
      ...(await sendRows(session, hubId, rows.slice(half))),
    ];
  }
}

/** Notes that were imported here and that the hub had forgotten before. A note made here stays with its author. */
function listForgottenCopies(store: Store, { hubId }: HubLink, outcomes: readonly PushOutcome[]): string[] {
  return outcomes
    .filter(({ id, outcome }) => outcome === "gone" && store.hub.record(hubId, id) === undefined)
    .map(({ id }) => id)
    .filter((id) => store.notes.byId(id) && !store.notes.isMadeHere(id));
}

function record(
  { store, onGone }: PushDeps,
  { hubId }: HubLink,
  taken: readonly QueuedNote[],
  outcomes: readonly PushOutcome[],
): void {
  const entries = new Map(taken.map((entry) => [entry.id, entry]));
  store.db.transaction(() => {
    for (const { id, outcome, seq } of outcomes) {
      const entry = entries.get(id);
      if (!entry) continue;
      if (seq === null) {
        store.hub.setAside(hubId, entry, outcome);
        continue;
      }
      const isGone = outcome === "gone";
      const isRecalled =
        store.hub.record(hubId, id)?.state === "declined" && store.notes.byId(id) !== undefined;
      const state = !isGone ? "kept" : isRecalled ? "declined" : "gone";
      store.hub.putRecord(hubId, { id, seq, isOwn: true, noteId: isGone ? null : id, state });
      store.hub.settle(hubId, entry);
    }
  });
  for (const { outcome, seq } of outcomes) if (outcome === "gone" && seq !== null) onGone(hubId, seq);
}
