import { refuse } from "../errors.ts";
import type { Membership, StoredEvent } from "../rules/event.ts";
import {
  isVisible,
  isWorldReadable,
  type VisibilityHistory,
  type Since,
  valueAt,
} from "../rules/history-visibility.ts";
import type { EventLog } from "./event-log.ts";
import type { IgnoredUsers } from "./ignored-users.ts";
import type { Member, Members } from "./members.ts";
import type { Room } from "./rooms.ts";

/** One user's view of a room. Hides events they may not see and messages of users they ignore. */
export interface Viewer {
  canSee(event: StoredEvent): boolean;
  /** The user's membership at the time of the event. */
  membershipAt(event: StoredEvent): Membership;
  /** The last position whose state the user may see; undefined for the current state. */
  stateUpTo: number | undefined;
}

export interface History {
  /** `M_FORBIDDEN` if the user was never in the room and it is not world-readable. */
  viewer(room: Room, userId: string): Viewer;
  /** Whether the user may view the room at all. */
  isOpenTo(room: Room, userId: string): boolean;
}

export function openHistory(log: EventLog, members: Members, ignoredUsers: IgnoredUsers): History {
  const hasLeft = (member: Member | undefined): member is Member =>
    member?.wasJoined === true && (member.membership === "leave" || member.membership === "ban");

  return {
    isOpenTo(room, userId) {
      const member = members.in(userId, room.id);
      return (
        member?.membership === "join" ||
        (hasLeft(member) && !member.isForgotten) ||
        isWorldReadable(room.view)
      );
    },
    viewer(room, userId) {
      const viewer = findViewer(room, userId);
      const ignored = ignoredUsers(userId);
      if (ignored.size === 0) return viewer;
      const isNotIgnored = ({ sender, stateKey }: StoredEvent): boolean =>
        stateKey !== undefined || !ignored.has(sender);
      return { ...viewer, canSee: (event) => isNotIgnored(event) && viewer.canSee(event) };
    },
  };

  function findViewer(room: Room, userId: string): Viewer {
    const member = members.in(userId, room.id);
    const joinPosition = member?.joinPosition;
    let loaded: Viewer | undefined;
    // Reads the membership history from the database, so it is used only if the shortcuts below do not apply.
    const exact = (): Viewer => (loaded ??= makeViewer(room, userId));
    if (member?.membership === "join")
      return {
        canSee: (event) =>
          !room.hasHiddenHistory || event.stream >= (joinPosition ?? 0) || exact().canSee(event),
        membershipAt: (event) =>
          event.stream >= (joinPosition ?? Infinity) ? "join" : exact().membershipAt(event),
        stateUpTo: undefined,
      };
    if (hasLeft(member)) {
      if (member.isForgotten && !isWorldReadable(room.view))
        refuse("M_FORBIDDEN", "You have forgotten this room.");
      return { ...exact(), stateUpTo: isWorldReadable(room.view) ? undefined : member.stream };
    }
    if (!isWorldReadable(room.view)) refuse("M_FORBIDDEN", "You are not in this room.");
    return { ...exact(), stateUpTo: undefined };
  }

  function makeViewer(room: Room, userId: string): Viewer {
    const past: VisibilityHistory = {
      memberships: toSteps(log.stateHistory(room.n, "m.room.member", userId), "membership"),
      visibilities: toSteps(log.stateHistory(room.n, "m.room.history_visibility", ""), "history_visibility"),
    };
    return {
      canSee: (event) => isVisible(event, userId, past),
      membershipAt: ({ stream }) => valueAt(past.memberships, stream) ?? "leave",
      stateUpTo: undefined,
    };
  }
}

function toSteps<T>(events: StoredEvent[], field: string): Since<T>[] {
  return events.map(({ stream, content }) => ({ from: stream, value: content[field] as T }));
}
