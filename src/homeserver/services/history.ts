import { refuse } from "../errors.ts";
import type { Membership, StoredEvent } from "../rules/event.ts";
import type { EventLog } from "./event-log.ts";
import type { IgnoredUsers } from "./ignored-users.ts";
import type { Member, Members } from "./members.ts";
import type { Room } from "./rooms.ts";

/** What one user may, and wants to, see of one room. */
export interface Viewer {
  canSee(event: StoredEvent): boolean;
  /** The user's own membership when it happened. */
  membershipAt(event: StoredEvent): Membership;
  /** The last position whose state this user may know; undefined: the present. */
  stateUpTo: number | undefined;
}

export interface History {
  /** `M_FORBIDDEN` for somebody who never was in the room, unless anybody may read it. */
  viewer(room: Room, userId: string): Viewer;
  /** Whether there is a view of this room for this user at all. */
  isOpenTo(room: Room, userId: string): boolean;
}

type Visibility = "world_readable" | "shared" | "invited" | "joined";

/** A value and the position from which on it held. */
interface Step<T> {
  from: number;
  value: T;
}

export function openHistory(log: EventLog, members: Members, ignoredUsers: IgnoredUsers): History {
  const isWorldReadable = (room: Room): boolean =>
    room.view("m.room.history_visibility")?.content.history_visibility === "world_readable";
  const hasLeft = (member: Member | undefined): member is Member =>
    member?.wasJoined === true && (member.membership === "leave" || member.membership === "ban");

  return {
    isOpenTo(room, userId) {
      const member = members.in(userId, room.id);
      return (
        member?.membership === "join" || (hasLeft(member) && !member.isForgotten) || isWorldReadable(room)
      );
    },
    viewer(room, userId) {
      const viewer = findViewer(room, userId);
      const ignored = ignoredUsers(userId);
      if (ignored.size === 0) return viewer;
      const isHeard = ({ sender, stateKey }: StoredEvent): boolean =>
        stateKey !== undefined || !ignored.has(sender);
      return { ...viewer, canSee: (event) => isHeard(event) && viewer.canSee(event) };
    },
  };

  function findViewer(room: Room, userId: string): Viewer {
    const member = members.in(userId, room.id);
    const joinedAt = member?.joinedAt;
    let slow: Viewer | undefined;
    const careful = (): Viewer => (slow ??= makeViewer(room, userId));
    if (member?.membership === "join")
      return {
        canSee: (event) =>
          !room.hasHiddenHistory || event.stream >= (joinedAt ?? 0) || careful().canSee(event),
        membershipAt: (event) =>
          event.stream >= (joinedAt ?? Infinity) ? "join" : careful().membershipAt(event),
        stateUpTo: undefined,
      };
    if (hasLeft(member)) {
      if (member.isForgotten && !isWorldReadable(room))
        refuse("M_FORBIDDEN", "You have forgotten this room.");
      return { ...careful(), stateUpTo: isWorldReadable(room) ? undefined : member.stream };
    }
    if (!isWorldReadable(room)) refuse("M_FORBIDDEN", "You are not in this room.");
    return { ...careful(), stateUpTo: undefined };
  }

  function makeViewer(room: Room, userId: string): Viewer {
    const own = toSteps(
      log.stateHistory(room.n, "m.room.member", userId),
      ({ content }) => content.membership as Membership,
    );
    const visibility = toSteps(
      log.stateHistory(room.n, "m.room.history_visibility", ""),
      ({ content }) => content.history_visibility as Visibility,
    );
    const lastJoined = findLastJoined(own);
    const membershipAt = (event: StoredEvent): Membership => at(own, event.stream) ?? "leave";

    function canSee(event: StoredEvent): boolean {
      const { stream, type, stateKey } = event;
      // A change of the rule, or of one's own membership, is seen by the more generous of before and after.
      const moments = (isChange: boolean): number[] => (isChange ? [stream, stream - 1] : [stream]);
      const memberships = moments(type === "m.room.member" && stateKey === userId).map((when) =>
        at(own, when),
      );
      return moments(type === "m.room.history_visibility").some((when) =>
        allows(at(visibility, when) ?? "shared", memberships, stream <= lastJoined),
      );
    }
    return { canSee, membershipAt, stateUpTo: undefined };
  }
}

function allows(rule: Visibility, memberships: (Membership | undefined)[], wasMemberLater: boolean): boolean {
  if (rule === "world_readable" || memberships.includes("join")) return true;
  if (rule === "shared") return wasMemberLater;
  return rule === "invited" && memberships.includes("invite");
}

function toSteps<T>(events: StoredEvent[], read: (event: StoredEvent) => T): Step<T>[] {
  return events.map((event) => ({ from: event.stream, value: read(event) }));
}

function at<T>(steps: Step<T>[], position: number): T | undefined {
  return steps.findLast(({ from }) => from <= position)?.value;
}

/** Until when the user was in the room: the end of the last stretch of membership, or for ever. */
function findLastJoined(own: Step<Membership>[]): number {
  const last = own.findLastIndex(({ value }) => value === "join");
  if (last < 0) return -1;
  return own[last + 1]?.from ?? Number.MAX_SAFE_INTEGER;
}
