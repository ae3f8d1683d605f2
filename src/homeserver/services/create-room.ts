import type { Clock } from "../../shared/clock.ts";
import { refuse } from "../errors.ts";
import {
  optionalArray,
  optionalBoolean,
  optionalObject,
  optionalString,
  optionalStrings,
} from "../fields.ts";
import { isObject, type JsonObject } from "../json.ts";
import { findPowerLevelFault } from "../rules/check-power-levels.ts";
import { isUserId } from "../rules/identifiers.ts";
import { defaultRoomVersion, findRoomVersion, type RoomVersion } from "../rules/room-version.ts";
import type { Aliases } from "./aliases.ts";
import { startRoom } from "./start-room.ts";
import type { MembershipChanges } from "./membership.ts";
import type { Room, Rooms } from "./rooms.ts";
import type { Timeline } from "./timeline.ts";

type Preset = "private_chat" | "trusted_private_chat" | "public_chat";

/** A parsed and validated request to create a room. */
interface RoomPlan {
  version: RoomVersion;
  isPublic: boolean;
  preset: Preset;
  isDirect: boolean;
  alias: string | undefined;
  name: string | undefined;
  topic: string | undefined;
  invite: string[];
  creationContent: JsonObject;
  initialState: { type: string; stateKey: string; content: JsonObject }[];
  powerLevels: JsonObject;
}

interface RoomCreation {
  read(body: JsonObject): RoomPlan;
  create(creator: string, plan: RoomPlan): Room;
}

const presets: Record<Preset, { joinRule: string; guests: string; invite: number }> = {
  private_chat: { joinRule: "invite", guests: "can_join", invite: 0 },
  trusted_private_chat: { joinRule: "invite", guests: "can_join", invite: 0 },
  public_chat: { joinRule: "public", guests: "forbidden", invite: 50 },
};

export function openRoomCreation(deps: {
  rooms: Rooms;
  timeline: Timeline;
  aliases: Aliases;
  membership: MembershipChanges;
  serverName: string;
  clock: Clock;
}): RoomCreation {
  const { timeline, aliases, membership, serverName } = deps;

  function checkAlias(name: string | undefined): string | undefined {
    if (name === undefined) return undefined;
    const alias = `#${name}:${serverName}`;
    if (name === "" || name.includes(":")) refuse("M_INVALID_PARAM", `${name} is not a valid alias name.`);
    aliases.checkOwn(alias);
    if (aliases.find(alias)) refuse("M_ROOM_IN_USE", `${alias} is taken.`, { status: 400 });
    return alias;
  }

  function create(creator: string, plan: RoomPlan): Room {
    const { version, isPublic } = plan;
    const content = makeCreation(plan);
    const room = startRoom(deps, { creator, version, isPublic, makeContent: () => content });
    const put = (type: string, content: JsonObject, stateKey = ""): void =>
      void timeline.append(room, { type, stateKey, sender: creator, content });
    const preset = presets[plan.preset];
    const given = new Set(plan.initialState.map(({ type }) => type));
    membership.join(room, creator);
    put("m.room.power_levels", makePowerLevels(creator, plan));
    if (plan.alias) {
      aliases.add(plan.alias, room.id, creator);
      put("m.room.canonical_alias", { alias: plan.alias });
    }
    if (!given.has("m.room.join_rules")) put("m.room.join_rules", { join_rule: preset.joinRule });
    if (!given.has("m.room.history_visibility"))
      put("m.room.history_visibility", { history_visibility: "shared" });
    if (!given.has("m.room.guest_access")) put("m.room.guest_access", { guest_access: preset.guests });
    for (const { type, stateKey, content } of plan.initialState) put(type, content, stateKey);
    if (plan.name !== undefined) put("m.room.name", { name: plan.name });
    if (plan.topic !== undefined)
      put("m.room.topic", { topic: plan.topic, "m.topic": { "m.text": [{ body: plan.topic }] } });
    for (const target of plan.invite)
      membership.invite(room, creator, target, plan.isDirect ? { is_direct: true } : {});
    return room;
  }

  return {
    read: (body) => ({ ...readPlan(body), alias: checkAlias(optionalString(body, "room_alias_name")) }),
    create,
  };
}

/** With the preset `trusted_private_chat` the invited users become additional creators, if the version supports them. */
function makeCreation({ creationContent, version, preset, invite }: RoomPlan): JsonObject {
  if (!version.privilegedCreators || preset !== "trusted_private_chat") return creationContent;
  const given = creationContent.additional_creators ?? [];
  const more = Array.isArray(given) ? [...new Set([...given, ...invite])] : given;
  return { ...creationContent, additional_creators: more };
}

function makePowerLevels(creator: string, plan: RoomPlan): JsonObject {
  const { privilegedCreators: hasPrivilegedCreators } = plan.version;
  const users: JsonObject = hasPrivilegedCreators ? {} : { [creator]: 100 };
  if (!hasPrivilegedCreators && plan.preset === "trusted_private_chat")
    for (const userId of plan.invite) users[userId] = 100;
  return {
    users,
    users_default: 0,
    events: {
      "m.room.name": 50,
      "m.room.power_levels": 100,
      "m.room.history_visibility": 100,
      "m.room.canonical_alias": 50,
      "m.room.avatar": 50,
      // Above every assignable default, so that only creators can replace the room.
      "m.room.tombstone": hasPrivilegedCreators ? 150 : 100,
      "m.room.server_acl": 100,
      "m.room.encryption": 100,
    },
    events_default: 0,
    state_default: 50,
    ban: 50,
    kick: 50,
    redact: 50,
    invite: presets[plan.preset].invite,
    historical: 100,
    ...plan.powerLevels,
  };
}

function readPlan(body: JsonObject): Omit<RoomPlan, "alias"> {
  const visibility = optionalString(body, "visibility") ?? "private";
  if (visibility !== "public" && visibility !== "private")
    refuse("M_INVALID_PARAM", "visibility must be public or private.");
  const isPublic = visibility === "public";
  const preset = optionalString(body, "preset") ?? (isPublic ? "public_chat" : "private_chat");
  if (!Object.hasOwn(presets, preset)) refuse("M_INVALID_PARAM", `Unknown preset ${preset}.`);
  const versionId = optionalString(body, "room_version") ?? defaultRoomVersion;
  const version =
    findRoomVersion(versionId) ?? refuse("M_UNSUPPORTED_ROOM_VERSION", `Unknown room version ${versionId}.`);
  const invite = [...new Set(optionalStrings(body, "invite"))];
  for (const userId of invite)
    if (!isUserId(userId)) refuse("M_INVALID_PARAM", `${userId} is not a user id.`);
  const initialState = optionalArray(body, "initial_state") ?? [];
  if (Math.max(invite.length, initialState.length) > maxInitialEvents)
    refuse("M_INVALID_PARAM", `invite or initial_state is longer than ${maxInitialEvents}.`);
  const powerLevels = optionalObject(body, "power_level_content_override") ?? {};
  const fault = findPowerLevelFault(
    version,
    { type: "m.room.power_levels", stateKey: "", sender: "", content: powerLevels },
    () => undefined,
  );
  if (fault) refuse("M_BAD_JSON", `power_level_content_override: ${fault}.`);
  return {
    version,
    isPublic,
    invite,
    powerLevels,
    preset: preset as Preset,
    isDirect: optionalBoolean(body, "is_direct") ?? false,
    name: optionalString(body, "name"),
    topic: optionalString(body, "topic"),
    creationContent: optionalObject(body, "creation_content") ?? {},
    initialState: initialState.map(readInitialState),
  };
}

/** Each entry becomes an event, but a room counts as one write of its creator. */
const maxInitialEvents = 500;

function readInitialState(item: unknown): RoomPlan["initialState"][number] {
  if (!isObject(item) || typeof item.type !== "string" || !isObject(item.content))
    refuse("M_BAD_JSON", "Each initial_state event must have a type and a content.");
  const stateKey = optionalString(item, "state_key") ?? "";
  return { type: item.type, stateKey, content: item.content };
}
