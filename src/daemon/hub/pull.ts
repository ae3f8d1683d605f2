import type { HubSession, IncomingRow } from "../../hub/hub-session.ts";
import { sharedNote, sharedNoteVersion } from "../../protocol/hub.ts";
import type { HubLink, HubRecord } from "../../store/hub.ts";
import type { Store } from "../../store/open-store.ts";
import { nameOf } from "../../store/tombstones.ts";
import { keepSharedNote } from "../memory/keep-shared-note.ts";
import { runInSlices } from "../runtime/run-in-slices.ts";
import type { HubMachine } from "./identity.ts";
import type { DaemonContext } from "../runtime/context.ts";

export interface PullDeps extends Pick<DaemonContext, "store" | "clock" | "waitingHooks"> {
  /** Removes every trace of notes, including their bytes, and prevents them from coming back. */
  forgetNotes(ids: readonly string[]): Promise<void>;
}

const pageSize = 500;

/** Applies everything after the cursor, page by page. Each slice is committed together with its cursor. Returns the new one. */
export async function pullProject(
  deps: PullDeps,
  session: HubSession,
  machine: HubMachine,
  link: HubLink,
): Promise<number> {
  const { store } = deps;
  for (let cursor = link.cursor; ; ) {
    const rows = await session.pull(link.hubId, cursor, pageSize);
    const last = rows.at(-1);
    if (!last) return cursor;
    const gone = rows
      .filter(({ body }) => body === null)
      .flatMap((row) => findCopy(store, machine, link, row));
    if (gone.length > 0) await deps.forgetNotes(gone);
    await runInSlices(deps, rows, (row) => {
      applyRow(deps, machine, link, row);
      store.hub.setCursor(link.hubId, row.seq);
    });
    cursor = last.seq;
    // Everything up to here is applied and, if forgotten, erased.
    await session.markSeen(link.hubId, cursor);
  }
}

/**
 * The note of a forgotten record, if it must be deleted here too. A note of this machine that someone else forgot on the hub
 * stays here, but is no longer shared.
 */
function findCopy(store: Store, machine: HubMachine, { hubId }: HubLink, row: IncomingRow): string[] {
  const note = store.notes.byId(row.id);
  const known = store.hub.record(hubId, row.id);
  if (known?.isOwn && known.state === "declined") return []; // Recalled.
  const isOwn = known?.isOwn ?? row.device === machine.device;
  return note && (!isOwn || row.goneBy === machine.member) ? [row.id] : [];
}

function applyRow({ store, clock }: PullDeps, machine: HubMachine, link: HubLink, row: IncomingRow): void {
  const known = store.hub.record(link.hubId, row.id);
  if (known?.seq === row.seq && known.state !== "unread") return;
  // A note of this home remains its own, even if another login of this machine sent it.
  const isOwn = known?.isOwn ?? store.notes.byId(row.id)?.author === null;
  const put = (state: HubRecord["state"], noteId: string | null): void =>
    store.hub.putRecord(link.hubId, { id: row.id, seq: row.seq, isOwn, noteId, state });
  if (row.body === null) return put(known?.isOwn && known.state === "declined" ? "declined" : "gone", null);
  // A forgotten record stays forgotten here, even if the hub was restored from a backup.
  if (known?.state === "gone" || known?.state === "declined") return put(known.state, null);
  if (isOwn) return put("kept", row.id);
  if (row.kind !== "note" || row.version > sharedNoteVersion) return put("unread", null);
  const body = sharedNote.safeParse(row.body);
  const isUnwanted =
    !body.success ||
    store.tombstones.has(nameOf.document(row.id)) ||
    store.tombstones.matchesForgotten(() => JSON.stringify(row.body), clock());
  if (isUnwanted) return put("declined", null);
  const noteId = keepSharedNote(store, {
    id: row.id,
    projectId: link.projectId,
    author: cleanName(row.author === machine.member ? row.deviceName : row.author),
    byMachine: row.deviceKind === "machine",
    createdAt: Math.round(row.madeAt),
    body: body.data,
  });
  put("kept", noteId);
}

/** The hub checks names too, but they are shown next to text that agents read. */
function cleanName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/g, "").slice(0, 32) || "unknown";
}
