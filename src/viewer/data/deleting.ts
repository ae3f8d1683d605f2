import { signal } from "@preact/signals";
import { remove } from "./api.ts";
import { complain, say } from "./toasts.ts";

/** Notes that are about to be deleted: out of sight, and still there until their toast is gone. */
export const leaving = signal<ReadonlySet<string>>(new Set());

/** Notes that were deleted from here. Their rows are still in lists that were read before. */
export const gone = signal<ReadonlySet<string>>(new Set());

const pending = new Map<string, { finish(): void }>();

export function deleteWithUndo(id: string, title: string): void {
  leaving.value = new Set([...leaving.value, id]);
  const toast = say(`Deleted “${title}”`, {
    undo: () => forgetPending(id),
    onGone: () => void forget(id).catch(complain),
  });
  pending.set(id, toast);
}

async function forget(id: string): Promise<void> {
  try {
    // Keepalive: it may be sent while the page goes away.
    await remove("DELETE /api/notes/:id", { params: { id } }, { keepalive: true });
    gone.value = new Set([...gone.value, id]);
  } finally {
    forgetPending(id);
  }
}

function forgetPending(id: string): void {
  pending.delete(id);
  const next = new Set(leaving.value);
  next.delete(id);
  leaving.value = next;
}

/** A page that goes away takes its undo with it: what was deleted is deleted. */
export function startDeleting(): void {
  addEventListener("pagehide", () => {
    for (const { finish } of pending.values()) finish();
  });
}
