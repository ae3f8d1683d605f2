import type { Notice } from "../../domain/ask/card.ts";

/** Everything by which a person is reached outside the terminal: presence, the outbox, the channels, the open viewer. */
export interface Reach {
  start(): void;
  stop(): Promise<void>;
  /** Whether a question could be seen anywhere but in the terminal; if not, a hook need not wait. */
  canReach(): boolean;
  /**
   * Queued durably; collapsed with its repeats, held back while the person is here or in quiet hours. False where nothing
   * will ever show it: no channel works, or this kind of news is not wanted.
   */
  notify(notice: Notice): boolean;
}

/** Whether the person is at the keyboard, by the latest sign of them. */
export interface Presence {
  isHere(): boolean;
  /** What the answer rests on, for people: "last key 12 s ago", "set by /rookery:away". */
  reason(): string;
}
