import { signal } from "@preact/signals";

/** Ticks, so that "2 min ago" stays true without anything happening. */
export const now = signal(Date.now());

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now();
  }, 5_000);
}
