import { signal } from "@preact/signals";
import { remove } from "./api.ts";
import { showError, showToast } from "./toasts.ts";

/** Notes to be deleted when their toast expires. Lists strike them through until then. */
export const pendingDeletes = signal<ReadonlySet<string>>(new Set());

/** Notes deleted in this tab. Lists that were loaded earlier still contain their rows. */
export const deletedNotes = signal<ReadonlySet<string>>(new Set());

const pending = new Map<string, { finish(): void }>();

export function deleteWithUndo(id: string, title: string): void {
  pendingDeletes.value = new Set([...pendingDeletes.value, id]);
  const toast = showToast(`Deleted “${title}”`, {
    undo: () => forgetPending(id),
    onExpire: () => void forget(id).catch(showError),
  });
  pending.set(id, toast);
}

async function forget(id: string): Promise<void> {
  try {
    // keepalive: the request may be sent while the page unloads.
    await remove("DELETE /api/notes/:id", { params: { id } }, { keepalive: true });
    deletedNotes.value = new Set([...deletedNotes.value, id]);
  } finally {
    forgetPending(id);
  }
}

function forgetPending(id: string): void {
  pending.delete(id);
  const next = new Set(pendingDeletes.value);
  next.delete(id);
  pendingDeletes.value = next;
}

/** Leaving the page ends the undo period: pending deletes are sent immediately. */
export function startDeleting(): void {
  addEventListener("pagehide", () => {
    for (const { finish } of pending.values()) finish();
  });
}
