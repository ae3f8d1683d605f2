import type { Card, Notice, Outcome } from "../domain/ask/card.ts";
import type { Answer } from "../domain/ask/question.ts";
import type { AnsweringChannel } from "../protocol/ask.ts";

/** The desktop only shows notifications. */
export type ChannelName = AnsweringChannel | "desktop";

/** Where a message was posted. Opaque outside the channel; stored, and still valid after a restart. */
export type MessageRef = string;

export interface ChannelHealth {
  state: "off" | "connecting" | "ready" | "failing" | "misconfigured";
  /** The problem and its fix, with values but without secrets; empty if there is none. */
  detail: string;
}

/**
 * Reaches the person outside the terminal. Adapters only translate: the inbox decides who may answer, whether an answer
 * counts and how a late answer is turned down. Every channel passes `tests/conformance/channel-contract.ts`.
 */
export interface Channel {
  readonly name: ChannelName;
  /** False for a display-only channel (desktop). */
  readonly canAnswer: boolean;
  /** Returns immediately. Network and service failures show up in `health`, not as exceptions. */
  start(inbox: Inbox): void;
  stop(): Promise<void>;
  health(): ChannelHealth;
  /** Idempotent by `key`, as far as the service allows. Throws `ChannelError`. */
  post(card: Card, key: string): Promise<MessageRef>;
  /** Replaces the buttons with the outcome, or an earlier outcome with a corrected one. */
  settle(place: MessageRef, card: Card, outcome: Outcome): Promise<void>;
  notify(notice: Notice, key: string): Promise<MessageRef>;
  /**
   * Sets the open cards; called at start and on every change. While there are any, the channel listens (or polls) for
   * replies, including those sent while the daemon was down.
   */
  watch(open: readonly OpenCard[]): void;
  /** Announces that a pairing code may arrive until then. Only for channels that do not read every message anyway. */
  expectCode?(until: number): void;
}

export interface OpenCard {
  place: MessageRef;
  card: Card;
  postedAt: number;
}

/** Sending failed. `later`: retry after `afterMs` at the earliest; `never`: retrying is useless until something is changed. */
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

/** How to answer in a channel, as sentences for a person whose message was no answer. */
export interface AnswerHints {
  decide: string;
  /** A card with several questions. */
  several: string;
  /** A message that belongs to no question. */
  address: string;
}

/** A person's message or button press as the channel received it. Untrusted. */
export interface Reply {
  /** The service's own id, so that a redelivery is recognised. */
  id: string;
  channel: AnsweringChannel;
  sender: { id: string; team: string | null; name: string; isGuest: boolean; isBot: boolean };
  room: { id: string; isDirect: boolean; isShared: boolean };
  at: number;
  /** The ticket for a button, the place for a reply in a card's thread, null for a direct message. */
  target: { ticket: string } | { place: MessageRef } | null;
  /** `text` is typed text: the domain decides whether it is an answer or a pairing code. */
  content: Answer | { type: "text"; text: string };
  hints: AnswerHints;
}

/** The result of a reply. `message` is shown to the sender only. */
export interface Receipt {
  result: "accepted" | "duplicate" | "late" | "refused" | "unclear";
  message: string | null;
}

export interface Inbox {
  /** Resolves once the reply is committed; only then may the channel acknowledge it to the service. */
  receive(reply: Reply): Promise<Receipt>;
}
