import { findPowerLevelFault } from "./check-power-levels.ts";
import { type Draft, type Membership, readMembership, type StateView } from "./event.ts";
import { isUserId, parseIdentifier } from "./identifiers.ts";
import { readCreator, readPowerLevels } from "./power.ts";
import type { RoomVersion } from "./room-version.ts";

/**
 * Applies the authorisation rules of the room version. Returns why the event is not allowed, or undefined.
 * With a single server the state before an event is the current room state, so no state resolution is needed.
 */
export function findAuthFault(version: RoomVersion, draft: Draft, state: StateView): string | undefined {
  if (draft.type === "m.room.create") return findCreateFault(version, draft, state);
  if (!state("m.room.create")) return "the room does not exist";
  if (
    state("m.room.create")?.content["m.federate"] === false &&
    !isSameServer(draft.sender, readCreator(state))
  )
    return "the room does not allow other servers";
  if (version.hasAliasRule && draft.type === "m.room.aliases") return findAliasFault(draft);
  if (draft.type === "m.room.member") return findMemberFault(version, draft, state);
  if (readMembership(state, draft.sender) !== "join") return `${draft.sender} is not in the room`;
  const levels = readPowerLevels(state);
  const own = levels.of(draft.sender);
  if (draft.type === "m.room.third_party_invite")
    return own >= levels.to("invite") ? undefined : "inviting needs a higher power level";
  const needed = levels.toSend(draft.type, draft.stateKey !== undefined);
  if (own < needed) return `sending ${draft.type} needs power level ${needed}, you have ${own}`;
  if (draft.stateKey?.startsWith("@") && draft.stateKey !== draft.sender)
    return "the state key is another user's id";
  if (draft.type === "m.room.power_levels") return findPowerLevelFault(version, draft, state);
  return undefined;
}

function findCreateFault(version: RoomVersion, { content }: Draft, state: StateView): string | undefined {
  if (state("m.room.create")) return "the room already exists";
  const { additional_creators: more } = content;
  if (!version.privilegedCreators || more === undefined) return undefined;
  return Array.isArray(more) && more.every(isUserId) ? undefined : "additional_creators must be user ids";
}

function findAliasFault({ stateKey, sender }: Draft): string | undefined {
  if (stateKey === undefined) return "m.room.aliases must be state";
  return parseIdentifier("@", sender)?.server === stateKey ? undefined : "the state key must be your server";
}

function findMemberFault(version: RoomVersion, draft: Draft, state: StateView): string | undefined {
  const { stateKey: target } = draft;
  if (target === undefined || !isUserId(target)) return "the state key must be a user id";
  switch (draft.content.membership as Membership) {
    case "join":
      return findJoinFault(version, draft, state);
    case "invite":
      return findInviteFault(draft, target, state);
    case "leave":
      return findLeaveFault(version, draft, target, state);
    case "ban":
      return findBanFault(draft, target, state);
    case "knock":
      return findKnockFault(version, draft, target, state);
    default:
      return "unknown membership";
  }
}

function findJoinFault(version: RoomVersion, draft: Draft, state: StateView): string | undefined {
  const { sender, stateKey, content } = draft;
  if (sender !== stateKey) return "you can only join as yourself";
  // The creator's join is always the second event of a room.
  if (sender === readCreator(state) && !state("m.room.member", sender) && !state("m.room.power_levels"))
    return undefined;
  const membership = readMembership(state, sender);
  if (membership === "ban") return "you are banned from this room";
  const rule = readJoinRule(state);
  if (rule === "public" || membership === "join") return undefined;
  const isInvited = membership === "invite";
  const isRestricted =
    (rule === "restricted" && version.restricted) || (rule === "knock_restricted" && version.knockRestricted);
  if (isInvited && (rule === "invite" || (rule === "knock" && version.knock) || isRestricted))
    return undefined;
  if (!isRestricted) return "you are not invited to this room";
  const authoriser = content.join_authorised_via_users_server;
  if (typeof authoriser !== "string") return "you are not in any of the rooms whose members may join";
  const levels = readPowerLevels(state);
  const mayAuthorise =
    readMembership(state, authoriser) === "join" && levels.of(authoriser) >= levels.to("invite");
  return mayAuthorise ? undefined : `${authoriser} may not authorise your join`;
}

function findInviteFault(draft: Draft, target: string, state: StateView): string | undefined {
  if (readMembership(state, draft.sender) !== "join") return `${draft.sender} is not in the room`;
  const membership = readMembership(state, target);
  if (membership === "join") return `${target} is already in the room`;
  if (membership === "ban") return `${target} is banned from the room`;
  const levels = readPowerLevels(state);
  return levels.of(draft.sender) >= levels.to("invite") ? undefined : "inviting needs a higher power level";
}

function findLeaveFault(
  version: RoomVersion,
  draft: Draft,
  target: string,
  state: StateView,
): string | undefined {
  const membership = readMembership(state, target);
  if (draft.sender === target) {
    const mayLeave =
      membership === "join" || membership === "invite" || (membership === "knock" && version.knock);
    return mayLeave ? undefined : "you are not in the room";
  }
  if (readMembership(state, draft.sender) !== "join") return `${draft.sender} is not in the room`;
  const levels = readPowerLevels(state);
  const own = levels.of(draft.sender);
  if (membership === "ban" && own < levels.to("ban")) return "unbanning needs a higher power level";
  return own >= levels.to("kick") && levels.of(target) < own
    ? undefined
    : "kicking needs a higher power level";
}

function findBanFault(draft: Draft, target: string, state: StateView): string | undefined {
  if (readMembership(state, draft.sender) !== "join") return `${draft.sender} is not in the room`;
  const levels = readPowerLevels(state);
  const own = levels.of(draft.sender);
  return own >= levels.to("ban") && levels.of(target) < own
    ? undefined
    : "banning needs a higher power level";
}

function findKnockFault(
  version: RoomVersion,
  draft: Draft,
  target: string,
  state: StateView,
): string | undefined {
  const rule = readJoinRule(state);
  const isOpen =
    (rule === "knock" && version.knock) || (rule === "knock_restricted" && version.knockRestricted);
  if (!isOpen) return "this room does not accept knocks";
  if (draft.sender !== target) return "you can only knock as yourself";
  const membership = readMembership(state, target);
  if (membership === "ban") return "you are banned from this room";
  return membership === "invite" || membership === "join" ? "you are already invited or joined" : undefined;
}

export function readJoinRule(state: StateView): string {
  const rule = state("m.room.join_rules")?.content.join_rule;
  return typeof rule === "string" ? rule : "invite";
}

function isSameServer(a: string, b: string | undefined): boolean {
  return b !== undefined && parseIdentifier("@", a)?.server === parseIdentifier("@", b)?.server;
}

/** Keys of the state events that authorise this event: its `auth_events`. */
export function authEventKeys(version: RoomVersion, draft: Draft): [type: string, stateKey: string][] {
  if (draft.type === "m.room.create") return [];
  const keys: [string, string][] = [
    ["m.room.power_levels", ""],
    ["m.room.member", draft.sender],
  ];
  if (!version.hashedRoomIds) keys.unshift(["m.room.create", ""]);
  if (draft.type !== "m.room.member") return keys;
  if (draft.stateKey !== undefined && draft.stateKey !== draft.sender)
    keys.push(["m.room.member", draft.stateKey]);
  if (["join", "invite", "knock"].includes(draft.content.membership as string))
    keys.push(["m.room.join_rules", ""]);
  const authoriser = draft.content.join_authorised_via_users_server;
  if (version.restricted && typeof authoriser === "string") keys.push(["m.room.member", authoriser]);
  return keys;
}
