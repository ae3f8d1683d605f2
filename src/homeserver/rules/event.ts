import type { JsonObject } from "../json.ts";

/** One event of a room, as stored. Positions (`stream`) order everything that happens on this server. */
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
  /** Top level in the room versions before 11. */
  readonly redacts: string | undefined;
  /** The state event whose place this one took. */
  readonly replaced: { id: string; sender: string; content: JsonObject } | undefined;
  /** Who sent it, to tell that device its own transaction id. */
  readonly txn: { device: number; id: string } | undefined;
  /** The redaction, as clients see it, once there is one. */
  redactedBecause: JsonObject | undefined;
  readonly authEvents: readonly number[];
  readonly hash: string;
}

/** What somebody wants to add to a room. */
export interface Draft {
  type: string;
  stateKey: string | undefined;
  sender: string;
  content: JsonObject;
  redacts?: string | undefined;
}

/** The state of a room, as the rules see it. */
export type StateView = (
  type: string,
  stateKey?: string,
) => { content: JsonObject; sender: string } | undefined;

export const memberships = ["join", "invite", "leave", "ban", "knock"] as const;
export type Membership = (typeof memberships)[number];

export function membershipIn(state: StateView, userId: string): Membership | undefined {
  return state("m.room.member", userId)?.content.membership as Membership | undefined;
}
