import { refuse } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { readMembership, type StoredEvent } from "../rules/event.ts";
import { readPowerLevels } from "../rules/power.ts";
import { listAllowedRooms } from "../rules/restricted-join.ts";
import type { Accounts } from "./accounts.ts";
import type { FollowUpgrade } from "./follow-upgrade.ts";
import type { Members } from "./members.ts";
import type { Room, Rooms } from "./rooms.ts";
import type { Timeline } from "./timeline.ts";

/** Membership changes. The authorisation rules decide; this adds the checks of the individual endpoints. */
export interface MembershipChanges {
  join(room: Room, userId: string, extra?: JsonObject): void;
  knock(room: Room, userId: string, reason: string | undefined): void;
  leave(room: Room, userId: string, reason?: string): void;
  invite(room: Room, sender: string, target: string, extra?: JsonObject): void;
  kick(room: Room, sender: string, target: string, reason?: string): void;
  ban(room: Room, sender: string, target: string, reason?: string): void;
  unban(room: Room, sender: string, target: string, reason?: string): void;
  /** Writes the user's current profile to every room they are in. */
  propagateProfile(userId: string): void;
}

export function openMembershipChanges(deps: {
  accounts: Accounts;
  members: Members;
  rooms: Rooms;
  timeline: Timeline;
  followUpgrade: FollowUpgrade;
}): MembershipChanges {
  const { accounts, members, rooms, timeline, followUpgrade } = deps;

  function put(room: Room, sender: string, target: string, content: JsonObject): StoredEvent {
    return timeline.append(room, { type: "m.room.member", stateKey: target, sender, content });
  }

  function profile(userId: string): JsonObject {
    const account = accounts.find(userId);
    const shown: JsonObject = {};
    if (account?.displayName !== undefined) shown.displayname = account.displayName;
    if (account?.avatarUrl !== undefined) shown.avatar_url = account.avatarUrl;
    return shown;
  }

  const withReason = (content: JsonObject, reason: string | undefined): JsonObject =>
    reason === undefined ? content : { ...content, reason };

  /** For a restricted join: a member with the power to invite, if the user is in one of the allowed rooms. */
  function findAuthoriser(room: Room, userId: string): string | undefined {
    const membership = readMembership(room.view, userId);
    if (membership === "join" || membership === "invite") return undefined;
    const isAllowed = listAllowedRooms(room.view).some(
      (roomId) => members.in(userId, roomId)?.membership === "join",
    );
    if (!isAllowed) return undefined;
    const levels = readPowerLevels(room.view);
    return [...room.joined].find((member) => levels.of(member) >= levels.to("invite"));
  }

  return {
    join(room, userId, { join_authorised_via_users_server: _unproven, ...extra } = {}) {
      const current = room.view("m.room.member", userId)?.content;
      if (current?.membership === "join" && Object.keys(extra).length === 0) return;
      // A user may have a different name in this room.
      const content: JsonObject = { ...profile(userId), ...extra, membership: "join" };
      const authoriser = findAuthoriser(room, userId);
      if (authoriser !== undefined) content.join_authorised_via_users_server = authoriser;
      put(room, userId, userId, content);
      if (current?.membership !== "join") followUpgrade(room, userId);
    },
    knock(room, userId, reason) {
      put(room, userId, userId, withReason({ ...profile(userId), membership: "knock" }, reason));
    },
    leave(room, userId, reason) {
      // Leaving again is not an error.
      if (readMembership(room.view, userId) === "leave") return;
      put(room, userId, userId, withReason({ membership: "leave" }, reason));
    },
    invite(room, sender, target, extra = {}) {
      put(room, sender, target, { ...extra, ...profile(target), membership: "invite" });
    },
    kick(room, sender, target, reason) {
      const membership = readMembership(room.view, target);
      if (membership !== "join" && membership !== "invite" && membership !== "knock")
        refuse("M_FORBIDDEN", `${target} is not in the room.`);
      put(room, sender, target, withReason({ membership: "leave" }, reason));
    },
    ban(room, sender, target, reason) {
      put(room, sender, target, withReason({ ...profile(target), membership: "ban" }, reason));
    },
    unban(room, sender, target, reason) {
      if (readMembership(room.view, target) !== "ban") refuse("M_FORBIDDEN", `${target} is not banned.`);
      put(room, sender, target, withReason({ membership: "leave" }, reason));
    },
    propagateProfile(userId) {
      for (const roomId of members.joinedRooms(userId)) {
        const room = rooms.find(roomId);
        const before = room?.view("m.room.member", userId)?.content;
        if (!room || !before) continue;
        const { displayname: _name, avatar_url: _avatar, reason: _reason, ...kept } = before;
        // This field is only needed for the join itself.
        delete kept.join_authorised_via_users_server;
        put(room, userId, userId, { ...kept, ...profile(userId) });
      }
    },
  };
}
