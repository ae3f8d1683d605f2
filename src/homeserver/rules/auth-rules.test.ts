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

/** The owner's room with the member in it, unless told otherwise. */
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
  ...{ type: "m.room.member", sender, stateKey: target, content: { membership, ...more } },
});
const was = (membership: string): Pick<Scene, "memberships"> => ({ memberships: { [other]: membership } });

describe("joining", () => {
  test.each<[string, Scene, Partial<Draft>, boolean]>([
    ["a public room", { rule: "public" }, moves(other, other, "join"), true],
    ["a public room while banned", { rule: "public", ...was("ban") }, moves(other, other, "join"), false],
    ["for somebody else", { rule: "public" }, moves(owner, other, "join"), false],
    ["without an invitation", {}, moves(other, other, "join"), false],
    ["with one", was("invite"), moves(other, other, "join"), true],
    ["after having left", was("leave"), moves(other, other, "join"), false],
    ["again, to change one's name", {}, moves(member, member, "join", { displayname: "M" }), true],
    [
      "a room that takes knocks, having knocked",
      { rule: "knock", ...was("knock") },
      moves(other, other, "join"),
      false,
    ],
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
    ["by a rule that nobody knows", { rule: "secret", ...was("invite") }, moves(other, other, "join"), false],
    [
      "a room without a rule, which is by invitation",
      { rule: "", ...was("invite") },
      moves(other, other, "join"),
      false,
    ],
  ])("%s", (_title, scene, draft, expected) => expect(isAllowed(scene, draft)).toBe(expected));

  const vouched = (by: string): Partial<Draft> =>
    moves(other, other, "join", { join_authorised_via_users_server: by });
  test.each<[string, Scene, Partial<Draft>, boolean]>([
    ["vouched for by one who may invite", { rule: "restricted" }, vouched(owner), true],
    [
      "vouched for by one who may not",
      { rule: "restricted", levels: { invite: 50 } },
      vouched(member),
      false,
    ],
    ["vouched for by somebody outside", { rule: "restricted" }, vouched("@gone:here"), false],
    ["vouched for by nobody", { rule: "restricted" }, moves(other, other, "join"), false],
    ["invited instead", { rule: "restricted", ...was("invite") }, moves(other, other, "join"), true],
    ["in a version that has no such rule", { version: "7", rule: "restricted" }, vouched(owner), false],
    ["with knocks besides", { rule: "knock_restricted" }, vouched(owner), true],
    [
      "with knocks besides, in a version before them",
      { version: "9", rule: "knock_restricted" },
      vouched(owner),
      false,
    ],
  ])("a restricted room %s", (_title, scene, draft, expected) =>
    expect(isAllowed(scene, draft)).toBe(expected),
  );

  test("is the creator's first act, before there are rules", () => {
    const created: StateView = (type) =>
      type === "m.room.create" ? { content: { creator: owner }, sender: owner } : undefined;
    const join = (who: string): string | undefined =>
      findAuthFault(version("10"), { ...(moves(who, who, "join") as Draft) }, created);
    expect(join(owner)).toBeUndefined();
    expect(join(other)).toBeDefined();
  });
});

describe("other changes of membership", () => {
  test.each<[string, Scene, Partial<Draft>, boolean]>([
    ["an invitation", {}, moves(member, other, "invite"), true],
    ["an invitation that needs power", { levels: { invite: 50 } }, moves(member, other, "invite"), false],
    ["an invitation from outside", was("leave"), moves(other, "@x:here", "invite"), false],
    ["an invitation of one who is in", {}, moves(owner, member, "invite"), false],
    ["an invitation of oneself", {}, moves(owner, owner, "invite"), false],
    ["an invitation of one who is banned", was("ban"), moves(owner, other, "invite"), false],
    ["an invitation of one who knocked", was("knock"), moves(member, other, "invite"), true],
    ["leaving", {}, moves(member, member, "leave"), true],
    ["leaving what one is not in", was("leave"), moves(other, other, "leave"), false],
    ["leaving while banned", was("ban"), moves(other, other, "leave"), false],
    ["refusing an invitation", was("invite"), moves(other, other, "leave"), true],
    ["taking back a knock", was("knock"), moves(other, other, "leave"), true],
    [
      "taking back a knock in a version before them",
      { version: "6", ...was("knock") },
      moves(other, other, "leave"),
      false,
    ],
    ["removing somebody", {}, moves(owner, member, "leave"), true],
    ["removing somebody above", {}, moves(member, owner, "leave"), false],
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
    ["banning somebody who never was there", {}, moves(owner, "@never:here", "ban"), true],
    ["banning without the power", {}, moves(member, other, "ban"), false],
    [
      "banning an equal",
      { levels: { users: { [owner]: 50, [member]: 50 } } },
      moves(owner, member, "ban"),
      false,
    ],
    ["knocking", { rule: "knock" }, moves(other, other, "knock"), true],
    ["knocking again", { rule: "knock", ...was("knock") }, moves(other, other, "knock"), true],
    ["knocking for somebody", { rule: "knock" }, moves(member, other, "knock"), false],
    ["knocking where one is", { rule: "knock" }, moves(member, member, "knock"), false],
    ["knocking while invited", { rule: "knock", ...was("invite") }, moves(other, other, "knock"), false],
    ["knocking while banned", { rule: "knock", ...was("ban") }, moves(other, other, "knock"), false],
    ["knocking where nobody hears", { rule: "public" }, moves(other, other, "knock"), false],
    ["knocking in a version before it", { version: "6", rule: "knock" }, moves(other, other, "knock"), false],
    ["a membership there is not", {}, moves(member, member, "lurk"), false],
    ["a membership of what is no user", {}, moves(owner, "somebody", "invite"), false],
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
    ["a message from outside", {}, { sender: other }, false],
    ["a message that needs more", { levels: { events_default: 1 } }, {}, false],
    ["a message of a kind that needs more", { levels: { events: { "m.room.message": 1 } } }, {}, false],
    ["state", {}, setsState(member, "org.x"), false],
    ["state that needs nothing", { levels: { events: { "org.x": 0 } } }, setsState(member, "org.x"), true],
    [
      "state by one's level for everybody",
      { levels: { users_default: 50 } },
      setsState(member, "org.x"),
      true,
    ],
    ["state that is one's own", { levels: { state_default: 0 } }, setsState(member, "org.x", member), true],
    ["state that is another's", { levels: { state_default: 0 } }, setsState(member, "org.x", owner), false],
    ["state that is another's, by the owner", {}, setsState(owner, "org.x", member), false],
    ["state in a room without levels", { levels: null }, setsState(member, "org.x"), true],
    ["the beginning again", {}, setsState(owner, "m.room.create"), false],
    [
      "from another server into a closed room",
      { create: { "m.federate": false }, memberships: { "@m:there": "join" } },
      { sender: "@m:there" },
      false,
    ],
    [
      "an invitation by mail, with the power to invite",
      {},
      setsState(member, "m.room.third_party_invite", "t"),
      true,
    ],
    [
      "an invitation by mail, without",
      { levels: { invite: 50 } },
      setsState(member, "m.room.third_party_invite", "t"),
      false,
    ],
    [
      "aliases of one's server, where versions know them",
      { version: "5" },
      setsState(other, "m.room.aliases", "here"),
      true,
    ],
    ["aliases of another server", { version: "5" }, setsState(other, "m.room.aliases", "there"), false],
    [
      "aliases where versions forgot them",
      { version: "6" },
      setsState(other, "m.room.aliases", "here"),
      false,
    ],
  ])("%s", (_title, scene, draft, expected) => expect(isAllowed(scene, draft)).toBe(expected));

  test("needs a room", () => {
    const draft: Draft = { type: "m.room.message", stateKey: undefined, sender: owner, content: {} };
    expect(findAuthFault(version("10"), draft, () => undefined)).toBeDefined();
  });
});
