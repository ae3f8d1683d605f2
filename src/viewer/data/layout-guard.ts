import { signal } from "@preact/signals";

/** Longer than it takes to notice that a button has moved and to stop a press that was aimed at another one. */
const guardMs = 600;

/** True for a moment after the layout of the inbox has changed: a press may have been aimed at the previous layout. */
export const hasLayoutJustChanged = signal(false);
let timer: number | undefined;

export function markLayoutChange(): void {
  hasLayoutJustChanged.value = true;
  clearTimeout(timer);
  timer = setTimeout(() => {
    hasLayoutJustChanged.value = false;
  }, guardMs);
}

/** Stops a press by pointer while the layout is fresh. Keys act on the focused element, which has not changed. */
export function blockMisplacedPress(event: MouseEvent): void {
  if (!hasLayoutJustChanged.value || event.detail === 0) return;
  event.preventDefault();
  event.stopPropagation();
}
