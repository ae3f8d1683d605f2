import { signal } from "@preact/signals";

/** Ticks, so that "2 min ago" stays correct when nothing else is rendered. */
export const now = signal(Date.now());

export function startClock(): void {
  setInterval(() => {
    if (!document.hidden) now.value = Date.now();
  }, 5_000);
}
