import { expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { redactContent, redactEvent } from "./redact.ts";
import { findRoomVersion, type RoomVersion } from "./room-version.ts";

const version = (id: string): RoomVersion => findRoomVersion(id) as RoomVersion;
const member = {
  membership: "join",
  displayname: "A",
  join_authorised_via_users_server: "@b:c",
  third_party_invite: { display_name: "a…", signed: { token: "t" } },
};
const signedOnly = { third_party_invite: { signed: { token: "t" } } };
const levels = {
  users: {},
  users_default: 0,
  events: {},
  events_default: 0,
  state_default: 50,
  ban: 50,
  kick: 50,
  redact: 50,
  invite: 0,
  notifications: {},
  other: 1,
};
const { invite: _invite, notifications: _notifications, other: _other, ...coreLevels } = levels;

test.each<[string, string, JsonObject, JsonObject]>([
  ["1", "m.room.message", { body: "b", msgtype: "m.text" }, {}],
  ["10", "m.room.name", { name: "n" }, {}],
  ["8", "m.room.member", member, { membership: "join" }],
  ["9", "m.room.member", member, { membership: "join", join_authorised_via_users_server: "@b:c" }],
  ["10", "m.room.member", member, { membership: "join", join_authorised_via_users_server: "@b:c" }],
  [
    "11",
    "m.room.member",
    member,
    { membership: "join", join_authorised_via_users_server: "@b:c", ...signedOnly },
  ],
  ["10", "m.room.create", { creator: "@a:b", room_version: "10", type: "m.space" }, { creator: "@a:b" }],
  ["11", "m.room.create", { room_version: "11", type: "m.space" }, { room_version: "11", type: "m.space" }],
  ["7", "m.room.join_rules", { join_rule: "restricted", allow: [], x: 1 }, { join_rule: "restricted" }],
  [
    "8",
    "m.room.join_rules",
    { join_rule: "restricted", allow: [], x: 1 },
    { join_rule: "restricted", allow: [] },
  ],
  ["10", "m.room.power_levels", levels, coreLevels],
  ["11", "m.room.power_levels", levels, { ...coreLevels, invite: 0 }],
  [
    "10",
    "m.room.history_visibility",
    { history_visibility: "joined", x: 1 },
    { history_visibility: "joined" },
  ],
  ["5", "m.room.aliases", { aliases: ["#a:b"], x: 1 }, { aliases: ["#a:b"] }],
  ["6", "m.room.aliases", { aliases: ["#a:b"] }, {}],
  ["10", "m.room.redaction", { reason: "r", redacts: "$a" }, {}],
  ["11", "m.room.redaction", { reason: "r", redacts: "$a" }, { redacts: "$a" }],
])("redaction in version %s keeps the required content of %s", (id, type, content, expected) =>
  expect(redactContent(type, content, version(id))).toEqual(expected),
);

test.each([
  ["10", ["membership", "origin", "prev_state"]],
  ["11", []],
])("redaction in version %s keeps these additional fields: %j", (id, more) => {
  const usual = {
    event_id: "$a",
    type: "m.room.message",
    room_id: "!r:b",
    sender: "@a:b",
    state_key: "",
    hashes: {},
    signatures: {},
    depth: 1,
    prev_events: [],
    auth_events: [],
    origin_server_ts: 1,
  };
  const dropped = { unsigned: { age: 1 }, redacts: "$b", other: 1 };
  const event = {
    ...usual,
    ...dropped,
    content: { body: "b" },
    origin: "b",
    prev_state: [],
    membership: "join",
  };
  expect(Object.keys(redactEvent(event, version(id))).toSorted()).toEqual(
    [...Object.keys(usual), "content", ...more].toSorted(),
  );
});
