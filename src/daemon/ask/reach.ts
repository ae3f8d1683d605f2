import type { Notice } from "../../domain/ask/card.ts";

/** All routes to the person outside the terminal: presence, the outbox, the channels, the open viewer. */
export interface Reach {
  start(): void;
  stop(): Promise<void>;
  /** Whether a question would be visible outside the terminal; if not, a hook need not wait. */
  canReach(): boolean;
  /**
   * Queues a notification durably and merges repeats. It is held back while the person is here and in quiet hours.
   * Returns false if it will never be shown: no channel works, or this kind is disabled.
   */
  notify(notice: Notice): boolean;
}

/** Whether the person is at the keyboard, judged by their latest activity. */
export interface Presence {
  isHere(): boolean;
  /** The evidence, in words: "last key 12 s ago", "set by /rookery:away". */
  reason(): string;
}
