import { isObject, type JsonObject } from "../json.ts";
import { type Draft, type StateView } from "./event.ts";
import { isUserId } from "./identifiers.ts";
import { readLevel, readPowerLevels, readPrivilegedCreators } from "./power.ts";
import type { RoomVersion } from "./room-version.ts";

const scalars = [
  "users_default",
  "events_default",
  "state_default",
  "ban",
  "redact",
  "kick",
  "invite",
] as const;

/** Why the sender may not set these power levels, or undefined. Neither old nor new values may exceed the sender's own level. */
export function findPowerLevelFault(
  version: RoomVersion,
  draft: Draft,
  state: StateView,
): string | undefined {
  const next = draft.content;
  const malformed = findMalformedLevel(version, next);
  if (malformed) return malformed;
  const creator = findCreatorWithLevel(next, state);
  if (creator !== undefined) return `${creator} is a room creator and cannot be given a level`;
  const previous = state("m.room.power_levels")?.content;
  if (!previous) return undefined;
  const own = readPowerLevels(state).of(draft.sender);
  for (const name of scalars) {
    const fault = findChangeFault(name, previous[name], next[name], own);
    if (fault) return fault;
  }
  for (const group of version.isStrict ? ["events", "notifications"] : ["events"]) {
    const fault = findGroupFault(group, previous[group], next[group], own);
    if (fault) return fault;
  }
  return findUserFault(draft.sender, previous.users, next.users, own);
}

/** The first room creator that the content assigns a level to. */
export function findCreatorWithLevel(content: JsonObject, state: StateView): string | undefined {
  const { users } = content;
  return isObject(users)
    ? readPrivilegedCreators(state).find((userId) => users[userId] !== undefined)
    : undefined;
}

/** Describes the first malformed level or user id, or undefined. */
export function findMalformedLevel(version: RoomVersion, content: JsonObject): string | undefined {
  const isLevel = (value: unknown): boolean =>
    version.integerLevels ? Number.isSafeInteger(value) : readLevel(value) !== undefined;
  for (const name of scalars)
    if (content[name] !== undefined && !isLevel(content[name])) return `${name} is not an integer`;
  for (const group of ["users", "events", "notifications"]) {
    const levels = content[group];
    if (levels === undefined) continue;
    if (!isObject(levels)) return `${group} is not an object`;
    for (const [key, value] of Object.entries(levels)) {
      if (!isLevel(value)) return `${group}.${key} is not an integer`;
      if (group === "users" && !isUserId(key)) return `${key} is not a user id`;
    }
  }
  return undefined;
}

function findChangeFault(name: string, before: unknown, after: unknown, own: number): string | undefined {
  const [old, fresh] = [readLevel(before), readLevel(after)];
  if (old === fresh) return undefined;
  if (old !== undefined && old > own) return `${name} is ${old}, above your level ${own}`;
  if (fresh !== undefined && fresh > own) return `${name} cannot be raised above your level ${own}`;
  return undefined;
}

function findGroupFault(group: string, before: unknown, after: unknown, own: number): string | undefined {
  const [old, fresh] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  for (const key of new Set([...Object.keys(old), ...Object.keys(fresh)])) {
    const fault = findChangeFault(`${group}.${key}`, old[key], fresh[key], own);
    if (fault) return fault;
  }
  return undefined;
}

/** Like `findGroupFault`, but a sender also cannot change other users who have the sender's level. */
function findUserFault(sender: string, before: unknown, after: unknown, own: number): string | undefined {
  const fault = findGroupFault("users", before, after, own);
  if (fault) return fault;
  const [old, fresh] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  for (const userId of Object.keys(old)) {
    const level = readLevel(old[userId]);
    if (userId === sender || level === undefined || level < own) continue;
    if (readLevel(fresh[userId]) !== level) return `you cannot change ${userId}, who has your level`;
  }
  return undefined;
}
