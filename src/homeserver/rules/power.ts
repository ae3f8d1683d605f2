import { isObject, type JsonObject } from "../json.ts";
import type { StateView } from "./event.ts";
import { findRoomVersion } from "./room-version.ts";
import { getOwn } from "../../shared/json.ts";

/** The power levels of a room, with the specification's defaults for absent ones. */
interface PowerLevels {
  of(userId: string): number;
  /** The level required to send this type of event. */
  toSend(type: string, isState: boolean): number;
  to(action: "ban" | "invite" | "kick" | "redact"): number;
  toNotify(key: string): number;
}

export function readPowerLevels(state: StateView): PowerLevels {
  const content = state("m.room.power_levels")?.content;
  const creator = readCreator(state);
  const privileged = readPrivilegedCreators(state);
  const users = asObject(content?.users);
  const events = asObject(content?.events);
  const notifications = asObject(content?.notifications);
  const makeLevels = (name: string, fallback: number): number =>
    readLevel(content && getOwn(content, name)) ?? fallback;
  return {
    of(userId) {
      if (privileged.includes(userId)) return Number.POSITIVE_INFINITY;
      if (!content) return userId === creator ? 100 : 0;
      return readLevel(getOwn(users, userId)) ?? makeLevels("users_default", 0);
    },
    toSend: (type, isState) =>
      readLevel(getOwn(events, type)) ??
      (isState ? makeLevels("state_default", content ? 50 : 0) : makeLevels("events_default", 0)),
    to: (action) => makeLevels(action, action === "invite" ? 0 : 50),
    toNotify: (key) => readLevel(getOwn(notifications, key)) ?? 50,
  };
}

export function readCreator(state: StateView): string | undefined {
  const create = state("m.room.create");
  const named = create?.content.creator;
  return typeof named === "string" ? named : create?.sender;
}

/** Since version 12: the creator and the additional creators, who have unlimited power. Empty in older versions. */
export function readPrivilegedCreators(state: StateView): readonly string[] {
  const create = state("m.room.create");
  const version = create?.content.room_version;
  if (!create || typeof version !== "string" || !findRoomVersion(version)?.privilegedCreators) return [];
  const more = create.content.additional_creators;
  return Array.isArray(more) ? [create.sender, ...more] : [create.sender];
}

/** An integer, or a string with one, as older rooms allow. */
export function readLevel(value: unknown): number | undefined {
  if (typeof value === "number" && Number.isInteger(value)) return value;
  if (typeof value === "string" && /^\s*[+-]?\d+\s*$/.test(value)) return Number(value);
  return undefined;
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
