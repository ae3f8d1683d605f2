import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { findAuthFault } from "./auth-rules.ts";
import type { Draft, StateView } from "./event.ts";
import { findRoomVersion, type RoomVersion } from "./room-version.ts";

const [owner, member, other] = ["@owner:here", "@member:here", "@other:here"];
const version = (id: string): RoomVersion => findRoomVersion(id) as RoomVersion;

interface Scene {
  version?: string;
  rule?: string;
  memberships?: Record<string, string>;
  levels?: JsonObject | null;
  create?: JsonObject;
}

/** By default, the owner's room with the member in it. */
function makeState({ rule = "invite", memberships = {}, levels = {}, create = {} }: Scene): StateView {
  const state = new Map<string, { content: JsonObject; sender: string }>([
    ["m.room.create\0", { content: { creator: owner, ...create }, sender: owner }],
    ["m.room.join_rules\0", { content: { join_rule: rule }, sender: owner }],
  ]);
  if (levels)
    state.set("m.room.power_levels\0", { content: { users: { [owner]: 100 }, ...levels }, sender: owner });
  for (const [userId, membership] of Object.entries({ [owner]: "join", [member]: "join", ...memberships }))
    if (membership !== "never")
      state.set(`m.room.member\0${userId}`, { content: { membership }, sender: userId });
  return (type, stateKey = "") => state.get(`${type}\0${stateKey}`);
}

const isAllowed = (scene: Scene, draft: Partial<Draft>): boolean =>
  findAuthFault(
    version(scene.version ?? "10"),
    { type: "m.room.message", stateKey: undefined, sender: member, content: {}, ...draft },
    makeState(scene),
  ) === undefined;

const moves = (
  sender: string,
  target: string,
  membership: string,
  more: JsonObject = {},
): Partial<Draft> => ({
  type: "m.room.member",
  sender,
  stateKey: target,
  content: { membership, ...more },
});
const was = (membership: string): Pick<Scene, "memberships"> => ({ memberships: { [other]: membership } });

describe("joining", () => {
  test.each<[string, Scene, Partial<Draft>, boolean]>([
    ["a public room", { rule: "public" }, moves(other, other, "join"), true],
    ["a public room while banned", { rule: "public", ...was("ban") }, moves(other, other, "join"), false],
    ["on behalf of another user", { rule: "public" }, moves(owner, other, "join"), false],
    ["without an invitation", {}, moves(other, other, "join"), false],
    ["with an invitation", was("invite"), moves(other, other, "join"), true],
    ["after leaving", was("leave"), moves(other, other, "join"), false],
    ["again with a new display name", {}, moves(member, member, "join", { displayname: "M" }), true],
    ["a knock room after knocking", { rule: "knock", ...was("knock") }, moves(other, other, "join"), false],
    [
      "a room that takes knocks, invited",
      { rule: "knock", ...was("invite") },
      moves(other, other, "join"),
      true,
    ],
    [
      "by a rule that the version has not",
      { version: "6", rule: "knock", ...was("invite") },
      moves(other, other, "join"),
      false,
    ],
    ["with an unknown join rule", { rule: "secret", ...was("invite") }, moves(other, other, "join"), false],
    [
      "a room without a rule, which is by invitation",
      { rule: "", ...was("invite") },
      moves(other, other, "join"),
      false,
    ],
  ])("%s", (_title, scene, draft, expected) => expect(isAllowed(scene, draft)).toBe(expected));

  const authorisedBy = (by: string): Partial<Draft> =>
    moves(other, other, "join", { join_authorised_via_users_server: by });
  test.each<[string, Scene, Partial<Draft>, boolean]>([
    ["authorised by a member who may invite", { rule: "restricted" }, authorisedBy(owner), true],
    [
      "authorisedBy for by one who may not",
      { rule: "restricted", levels: { invite: 50 } },
      authorisedBy(member),
      false,
    ],
    ["authorised by a non-member", { rule: "restricted" }, authorisedBy("@gone:here"), false],
    ["without an authorising member", { rule: "restricted" }, moves(other, other, "join"), false],
    ["with an invitation", { rule: "restricted", ...was("invite") }, moves(other, other, "join"), true],
    [
      "in a version without restricted rooms",
      { version: "7", rule: "restricted" },
      authorisedBy(owner),
      false,
    ],
    ["with the rule knock_restricted", { rule: "knock_restricted" }, authorisedBy(owner), true],
    [
      "with the rule knock_restricted in an older version",
      { version: "9", rule: "knock_restricted" },
      authorisedBy(owner),
      false,
    ],
  ])("a restricted room %s", (_title, scene, draft, expected) =>
    expect(isAllowed(scene, draft)).toBe(expected),
  );

  test("is allowed for the creator before any rules exist", () => {
    const created: StateView = (type) =>
      type === "m.room.create" ? { content: { creator: owner }, sender: owner } : undefined;
    const join = (who: string): string | undefined =>
      findAuthFault(version("10"), { ...(moves(who, who, "join") as Draft) }, created);
    expect(join(owner)).toBeUndefined();
    expect(join(other)).toBeDefined();
  });
});

describe("other membership changes", () => {
  test.each<[string, Scene, Partial<Draft>, boolean]>([
    ["an invitation", {}, moves(member, other, "invite"), true],
    [
      "an invitation without the required level",
      { levels: { invite: 50 } },
      moves(member, other, "invite"),
      false,
    ],
    ["an invitation by a non-member", was("leave"), moves(other, "@x:here", "invite"), false],
    ["an invitation of a member", {}, moves(owner, member, "invite"), false],
    ["an invitation of oneself", {}, moves(owner, owner, "invite"), false],
    ["an invitation of a banned user", was("ban"), moves(owner, other, "invite"), false],
    ["an invitation of a user who knocked", was("knock"), moves(member, other, "invite"), true],
    ["leaving", {}, moves(member, member, "leave"), true],
    ["leaving a room again", was("leave"), moves(other, other, "leave"), false],
    ["leaving while banned", was("ban"), moves(other, other, "leave"), false],
    ["rejecting an invitation", was("invite"), moves(other, other, "leave"), true],
    ["retracting a knock", was("knock"), moves(other, other, "leave"), true],
    [
      "taking back a knock in a version before them",
      { version: "6", ...was("knock") },
      moves(other, other, "leave"),
      false,
    ],
    ["kicking a member", {}, moves(owner, member, "leave"), true],
    ["kicking a user with a higher level", {}, moves(member, owner, "leave"), false],
    [
      "removing an equal",
      { levels: { users: { [owner]: 50, [member]: 50 } } },
      moves(owner, member, "leave"),
      false,
    ],
    ["unbanning", was("ban"), moves(owner, other, "leave"), true],
    [
      "unbanning with the power to remove only",
      { ...was("ban"), levels: { kick: 0, ban: 50 } },
      moves(member, other, "leave"),
      false,
    ],
    ["banning", {}, moves(owner, member, "ban"), true],
    ["banning a user who was never in the room", {}, moves(owner, "@never:here", "ban"), true],
    ["banning without the required level", {}, moves(member, other, "ban"), false],
    [
      "banning an equal",
      { levels: { users: { [owner]: 50, [member]: 50 } } },
      moves(owner, member, "ban"),
      false,
    ],
    ["knocking", { rule: "knock" }, moves(other, other, "knock"), true],
    ["knocking again", { rule: "knock", ...was("knock") }, moves(other, other, "knock"), true],
    ["knocking on behalf of another user", { rule: "knock" }, moves(member, other, "knock"), false],
    ["knocking as a member", { rule: "knock" }, moves(member, member, "knock"), false],
    ["knocking while invited", { rule: "knock", ...was("invite") }, moves(other, other, "knock"), false],
    ["knocking while banned", { rule: "knock", ...was("ban") }, moves(other, other, "knock"), false],
    ["knocking on a room without that rule", { rule: "public" }, moves(other, other, "knock"), false],
    [
      "knocking in a version without knocks",
      { version: "6", rule: "knock" },
      moves(other, other, "knock"),
      false,
    ],
    ["an unknown membership", {}, moves(member, member, "lurk"), false],
    ["a membership of an invalid user id", {}, moves(owner, "someone", "invite"), false],
  ])("%s", (_title, scene, draft, expected) => expect(isAllowed(scene, draft)).toBe(expected));
});

describe("sending", () => {
  const setsState = (sender: string, type: string, stateKey = ""): Partial<Draft> => ({
    sender,
    type,
    stateKey,
  });
  test.each<[string, Scene, Partial<Draft>, boolean]>([
    ["a message", {}, {}, true],
    ["a message by a non-member", {}, { sender: other }, false],
    ["a message that needs a higher level", { levels: { events_default: 1 } }, {}, false],
    ["a message type that needs a higher level", { levels: { events: { "m.room.message": 1 } } }, {}, false],
    ["state", {}, setsState(member, "org.x"), false],
    ["state that needs level 0", { levels: { events: { "org.x": 0 } } }, setsState(member, "org.x"), true],
    [
      "state by one's level for everybody",
      { levels: { users_default: 50 } },
      setsState(member, "org.x"),
      true,
    ],
    [
      "state with the sender's own id as its key",
      { levels: { state_default: 0 } },
      setsState(member, "org.x", member),
      true,
    ],
    [
      "state with another user's id as its key",
      { levels: { state_default: 0 } },
      setsState(member, "org.x", owner),
      false,
    ],
    ["state with another user's id as its key, by the owner", {}, setsState(owner, "org.x", member), false],
    ["state in a room without power levels", { levels: null }, setsState(member, "org.x"), true],
    ["a second create event", {}, setsState(owner, "m.room.create"), false],
    [
      "from another server into an unfederated room",
      { create: { "m.federate": false }, memberships: { "@m:there": "join" } },
      { sender: "@m:there" },
      false,
    ],
    [
      "a third-party invitation with the level to invite",
      {},
      setsState(member, "m.room.third_party_invite", "t"),
      true,
    ],
    [
      "a third-party invitation without it",
      { levels: { invite: 50 } },
      setsState(member, "m.room.third_party_invite", "t"),
      false,
    ],
    [
      "aliases of the sender's server in version 5",
      { version: "5" },
      setsState(other, "m.room.aliases", "here"),
      true,
    ],
    [
      "aliases of another server in version 5",
      { version: "5" },
      setsState(other, "m.room.aliases", "there"),
      false,
    ],
    [
      "aliases by a non-member in version 6",
      { version: "6" },
      setsState(other, "m.room.aliases", "here"),
      false,
    ],
  ])("%s", (_title, scene, draft, expected) => expect(isAllowed(scene, draft)).toBe(expected));

  test("needs an existing room", () => {
    const draft: Draft = { type: "m.room.message", stateKey: undefined, sender: owner, content: {} };
    expect(findAuthFault(version("10"), draft, () => undefined)).toBeDefined();
  });
});
