import type { Card, Notice, Outcome } from "../domain/ask/card.ts";
import type { Answer } from "../domain/ask/question.ts";

export const channelNames = ["slack", "matrix", "desktop"] as const;
export type ChannelName = (typeof channelNames)[number];

/** Where something was posted: opaque to all but the channel, kept in the store, valid after a restart. */
export type Place = string;

export interface ChannelHealth {
  state: "off" | "connecting" | "ready" | "failing" | "misconfigured";
  /** What is wrong and what to do, with values and without secrets; empty when all is well. */
  detail: string;
}

/**
 * A way to reach the person outside the terminal. Adapters translate; they decide nothing: who may answer, whether an
 * answer counts and what is said to the loser comes from the inbox. Every channel passes `tests/conformance/channel-contract.ts`.
 */
export interface Channel {
  readonly name: ChannelName;
  /** False for one that only shows (desktop). */
  readonly canAnswer: boolean;
  /** Returns at once and never throws for what is outside; `health` tells how it goes. */
  start(inbox: Inbox): void;
  stop(): Promise<void>;
  health(): ChannelHealth;
  /** Posting twice with one key shows one message, as far as the service allows. Throws `ChannelError`. */
  post(card: Card, key: string): Promise<Place>;
  /** Takes the buttons away and says how it ended. Also corrects an ending that was shown before. */
  settle(place: Place, card: Card, outcome: Outcome): Promise<void>;
  notify(notice: Notice, key: string): Promise<Place>;
  /**
   * The cards that are open, told anew whenever that changes and once at start: while there are any, the channel listens
   * (or polls); what was said under them while we were away is brought in.
   */
  watch(open: readonly OpenCard[]): void;
  /** Until then somebody may send a pairing code: for a channel that does not hear direct messages by itself. */
  expectCode?(until: number): void;
}

export interface OpenCard {
  place: Place;
  card: Card;
  postedAt: number;
}

/** Sending failed. `later`: try again, not before `afterMs`; `never`: it will not work until something is changed. */
export class ChannelError extends Error {
  readonly retry: "later" | "never";
  readonly afterMs: number;

  constructor(
    retry: "later" | "never",
    message: string,
    options: { afterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "ChannelError";
    this.retry = retry;
    this.afterMs = options.afterMs ?? 0;
  }
}

/** What came in from a person, as the channel saw it; nothing in it is trusted. */
export interface Reply {
  /** The service's own id of this act: the same act delivered twice has the same. */
  id: string;
  channel: ChannelName;
  sender: { id: string; team: string | null; name: string; isGuest: boolean; isBot: boolean };
  room: { id: string; isDirect: boolean; isShared: boolean };
  at: number;
  /** A button names its ticket; a text in a card's thread names the place; a direct message names neither. */
  target: { ticket: string } | { place: Place } | null;
  /** `text` is what was typed: the domain decides whether it answers anything, or is a pairing code. */
  said: Answer | { type: "text"; text: string };
}

/** What became of it. `say` is for the sender alone, where there is something to say. */
export interface Receipt {
  result: "accepted" | "duplicate" | "late" | "refused" | "unclear";
  say: string | null;
}

export interface Inbox {
  /** Resolves once it is committed; only then may the channel acknowledge it to the service. */
  receive(reply: Reply): Promise<Receipt>;
}
