import { signal } from "@preact/signals";

interface Toast {
  id: number;
  text: string;
  tone: "plain" | "bad";
  undo?: () => void;
}

export const toasts = signal<Toast[]>([]);

let nextId = 0;
const shownMs = 6_000;

/** Shows a message for a few seconds. `onExpire` is called unless it was undone. */
export function showToast(
  text: string,
  options: { tone?: Toast["tone"]; undo?: () => void; onExpire?: () => void } = {},
): { finish(): void } {
  const id = nextId++;
  const { tone = "plain", undo, onExpire } = options;
  let isOver = false;
  const end = (after: (() => void) | undefined): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    toasts.value = toasts.value.filter((toast) => toast.id !== id);
    after?.();
  };
  const timer = setTimeout(() => end(onExpire), shownMs);
  const toast: Toast = { id, text, tone };
  if (undo) toast.undo = () => end(undo);
  toasts.value = [...toasts.value, toast];
  return { finish: () => end(onExpire) };
}

export function showError(error: unknown): void {
  showToast(error instanceof Error ? error.message : String(error), { tone: "bad" });
}

export function undoLast(): void {
  toasts.value.findLast((toast) => toast.undo)?.undo?.();
}
