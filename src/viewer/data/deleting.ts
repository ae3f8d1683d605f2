import { signal } from "@preact/signals";
import { call } from "./api.ts";
import { complain, say } from "./toasts.ts";

/** Notes that are about to be deleted: out of sight, and still there until their toast is gone. */
export const leaving = signal<ReadonlySet<string>>(new Set());

/** Notes that were deleted from here. Their rows are still in lists that were read before. */
export const gone = signal<ReadonlySet<string>>(new Set());

const pending = new Map<string, { finish(): void }>();

export function deleteWithUndo(id: string, title: string): void {
  leaving.value = new Set([...leaving.value, id]);
  const take = (): void => {
    pending.delete(id);
    leaving.value = without(leaving.value, id);
  };
  pending.set(
    id,
    say(`Deleted “${title}”`, {
      undo: take,
      onGone() {
        // Keepalive: it may be sent while the page goes away.
        call("DELETE", `/api/observations/${encodeURIComponent(id)}`, undefined, { keepalive: true }).then(
          () => {
            gone.value = new Set([...gone.value, id]);
            take();
          },
          (error: unknown) => {
            take();
            complain(error);
          },
        );
      },
    }),
  );
}

/** A page that goes away takes its undo with it: what was deleted is deleted. */
export function startDeleting(): void {
  addEventListener("pagehide", () => {
    for (const { finish } of pending.values()) finish();
  });
}

function without(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  next.delete(id);
  return next;
}
