import type { Membership, StateView, StoredEvent } from "./event.ts";

export type Visibility = "world_readable" | "shared" | "invited" | "joined";

/** A value and the position from which on it held. */
export interface Step<T> {
  from: number;
  value: T;
}

/** How a room's rule about its history and one user's place in it went, oldest first. */
export interface Past {
  memberships: Step<Membership>[];
  visibilities: Step<Visibility>[];
}

/** Anybody may read the room, member or not. */
export function isWorldReadable(state: StateView): boolean {
  return state("m.room.history_visibility")?.content.history_visibility === "world_readable";
}

/** Whether a user may see an event, by what the room's rule was when it happened and where they stood then. */
export function isVisible(
  { stream, type, stateKey }: Pick<StoredEvent, "stream" | "type" | "stateKey">,
  userId: string,
  { memberships, visibilities }: Past,
): boolean {
  // A change of the rule, or of one's own membership, is seen by the more generous of before and after.
  const moments = (isChange: boolean): number[] => (isChange ? [stream, stream - 1] : [stream]);
  const stood = moments(type === "m.room.member" && stateKey === userId).map((when) =>
    valueAt(memberships, when),
  );
  const wasMemberLater = stream <= findLastJoined(memberships);
  return moments(type === "m.room.history_visibility").some((when) =>
    allows(valueAt(visibilities, when) ?? "shared", stood, wasMemberLater),
  );
}

export function valueAt<T>(steps: Step<T>[], position: number): T | undefined {
  return steps.findLast(({ from }) => from <= position)?.value;
}

function allows(rule: Visibility, stood: (Membership | undefined)[], wasMemberLater: boolean): boolean {
  if (rule === "world_readable" || stood.includes("join")) return true;
  if (rule === "shared") return wasMemberLater;
  return rule === "invited" && stood.includes("invite");
}

/** Until when the user was in the room: the end of the last stretch of membership, or for ever. */
function findLastJoined(memberships: Step<Membership>[]): number {
  const last = memberships.findLastIndex(({ value }) => value === "join");
  if (last < 0) return -1;
  return memberships[last + 1]?.from ?? Number.MAX_SAFE_INTEGER;
}
