import { signal } from "@preact/signals";

/** Whether this browser shows notifications; off until you turn them on. In its own module, because the stream reads it too. */
export const isNotifying = signal(false);
