import type { Membership, StateView, StoredEvent } from "./event.ts";

const allVisibilities = ["world_readable", "shared", "invited", "joined"] as const;
export type Visibility = (typeof allVisibilities)[number];

export function isVisibility(value: unknown): value is Visibility {
  return (allVisibilities as readonly unknown[]).includes(value);
}

/** A value and the position from which it applies. */
export interface Since<T> {
  from: number;
  value: T;
}

/** The history of a room's visibility rule and of one user's membership, oldest first. */
export interface VisibilityHistory {
  memberships: Since<Membership>[];
  visibilities: Since<Visibility>[];
}

/** Whether non-members may read the room. */
export function isWorldReadable(state: StateView): boolean {
  return state("m.room.history_visibility")?.content.history_visibility === "world_readable";
}

/** Whether a user may see an event, given the visibility rule and their membership at the time. */
export function isVisible(
  { stream, type, stateKey }: Pick<StoredEvent, "stream" | "type" | "stateKey">,
  userId: string,
  { memberships, visibilities }: VisibilityHistory,
): boolean {
  // A change of the rule or of the user's own membership is visible if the state before or after it allows that.
  const moments = (isChange: boolean): number[] => (isChange ? [stream, stream - 1] : [stream]);
  const ownMemberships = moments(type === "m.room.member" && stateKey === userId).map((when) =>
    valueAt(memberships, when),
  );
  const wasMemberLater = stream <= findLastJoined(memberships);
  return moments(type === "m.room.history_visibility").some((when) =>
    isAllowed(valueAt(visibilities, when) ?? "shared", ownMemberships, wasMemberLater),
  );
}

export function valueAt<T>(steps: Since<T>[], position: number): T | undefined {
  return steps.findLast(({ from }) => from <= position)?.value;
}

function isAllowed(
  rule: Visibility,
  ownMemberships: (Membership | undefined)[],
  wasMemberLater: boolean,
): boolean {
  if (rule === "world_readable" || ownMemberships.includes("join")) return true;
  if (rule === "shared") return wasMemberLater;
  return rule === "invited" && ownMemberships.includes("invite");
}

/** The position at which the user's last membership ended; the maximum while they are in the room, -1 if they never were. */
function findLastJoined(memberships: Since<Membership>[]): number {
  const last = memberships.findLastIndex(({ value }) => value === "join");
  if (last < 0) return -1;
  return memberships[last + 1]?.from ?? Number.MAX_SAFE_INTEGER;
}
