import type { JsonObject } from "../json.ts";

/** A stored room event. Positions (`stream`) order everything that happens on this server. */
export interface StoredEvent {
  readonly stream: number;
  readonly id: string;
  readonly roomId: string;
  readonly type: string;
  readonly stateKey: string | undefined;
  readonly sender: string;
  readonly sentAt: number;
  readonly depth: number;
  content: JsonObject;
  /** A top-level field before room version 11; later versions have it in the content. */
  readonly redacts: string | undefined;
  /** The state event that this one replaced. */
  readonly replaced: { id: string; sender: string; content: JsonObject } | undefined;
  /** The sending device and its transaction id, which is returned to that device only. */
  readonly txn: { device: number; id: string } | undefined;
  /** The redaction event in the client format, if the event was redacted. */
  redactedBecause: JsonObject | undefined;
  readonly authEvents: readonly number[];
  readonly hash: string;
  /** Its approximate size. */
  readonly bytes: number;
}

/** An event that a user wants to add to a room. */
export interface Draft {
  type: string;
  stateKey: string | undefined;
  sender: string;
  content: JsonObject;
  redacts?: string | undefined;
}

/** Looks up the room state by type and state key. */
export type StateView = (
  type: string,
  stateKey?: string,
) => { content: JsonObject; sender: string } | undefined;

export const memberships = ["join", "invite", "leave", "ban", "knock"] as const;
export type Membership = (typeof memberships)[number];

export function readMembership(state: StateView, userId: string): Membership | undefined {
  return state("m.room.member", userId)?.content.membership as Membership | undefined;
}
