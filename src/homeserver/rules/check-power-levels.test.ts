import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import { findPowerLevelFault } from "./check-power-levels.ts";
import type { StateView } from "./event.ts";
import { readPowerLevels } from "./power.ts";
import { findRoomVersion, type RoomVersion } from "./room-version.ts";

const [owner, mod, peer] = ["@owner:here", "@mod:here", "@peer:here"];
const before: JsonObject = {
  ...{
    users: { [owner]: 100, [mod]: 50, [peer]: 50 },
    events: { "m.room.name": 50, "m.room.encryption": 100 },
  },
  ban: 50,
  kick: 50,
  redact: 100,
  notifications: { room: 100 },
};

function isAllowed(
  next: JsonObject,
  {
    as = mod,
    version = "10",
    from = before,
  }: { as?: string; version?: string; from?: JsonObject | null } = {},
): boolean {
  const state: StateView = (type) => {
    if (type === "m.room.create") return { content: { creator: owner }, sender: owner };
    return type === "m.room.power_levels" && from ? { content: from, sender: owner } : undefined;
  };
  const draft = { type: "m.room.power_levels", stateKey: "", sender: as, content: next };
  return findPowerLevelFault(findRoomVersion(version) as RoomVersion, draft, state) === undefined;
}

describe("a moderator changing power levels", () => {
  test.each<[string, JsonObject, boolean]>([
    ["no change", before, true],
    ["a level up to their own", { ...before, ban: 25 }, true],
    ["a level above their own", { ...before, ban: 51 }, false],
    ["a level that is above their own", { ...before, redact: 50 }, false],
    ["removing a level above their own", (({ redact: _redact, ...rest }) => rest)(before), false],
    ["a new level", { ...before, state_default: 50 }, true],
    ["a new level above their own", { ...before, users_default: 60 }, false],
    ["an event's level", { ...before, events: { ...(before.events as object), "m.room.name": 0 } }, true],
    [
      "an event's level above them",
      { ...before, events: { "m.room.name": 50, "m.room.encryption": 50 } },
      false,
    ],
    ["removing an event level above their own", { ...before, events: { "m.room.name": 50 } }, false],
    [
      "a newcomer up to their own",
      { ...before, users: { ...(before.users as object), "@new:here": 50 } },
      true,
    ],
    [
      "a new user above their own level",
      { ...before, users: { ...(before.users as object), "@new:here": 51 } },
      false,
    ],
    ["lowering their own level", { ...before, users: { [owner]: 100, [mod]: 0, [peer]: 50 } }, true],
    ["removing themselves", { ...before, users: { [owner]: 100, [peer]: 50 } }, true],
    ["raising their own level", { ...before, users: { [owner]: 100, [mod]: 100, [peer]: 50 } }, false],
    [
      "lowering a user of the same level",
      { ...before, users: { [owner]: 100, [mod]: 50, [peer]: 49 } },
      false,
    ],
    ["removing a user of the same level", { ...before, users: { [owner]: 100, [mod]: 50 } }, false],
    [
      "lowering a user with a higher level",
      { ...before, users: { [owner]: 50, [mod]: 50, [peer]: 50 } },
      false,
    ],
    ["the level for room notifications", { ...before, notifications: { room: 50 } }, false],
  ])("%s", (_title, next, expected) => expect(isAllowed(next)).toBe(expected));

  test("can change the level for room notifications in older versions", () =>
    expect(isAllowed({ ...before, notifications: { room: 50 } }, { version: "5" })).toBe(true));
  test("is unrestricted if there were no levels", () =>
    expect(isAllowed({ users: { [mod]: 1_000 } }, { from: null })).toBe(true));
  test("can lower the default below their own explicit level", () =>
    expect(
      isAllowed(
        { users: { [mod]: 50 }, users_default: 40 },
        { from: { users: { [mod]: 50 }, users_default: 50 } },
      ),
    ).toBe(true));
});

describe("malformed levels", () => {
  test.each<[string, JsonObject, string, boolean]>([
    ["a string in version 10", { ban: "50" }, "10", false],
    ["a string in version 9", { ban: "50" }, "9", true],
    ["a string with spaces in version 9", { users: { [mod]: " 50 " } }, "9", true],
    ["a string that is not a number", { ban: "fifty" }, "9", false],
    ["a fraction", { ban: 1.5 }, "9", false],
    ["null", { ban: null }, "10", false],
    ["a list of users", { users: [mod] }, "10", false],
    ["an invalid user id", { users: { mod: 50 } }, "10", false],
    ["an event level as a string", { events: { "m.room.name": "50" } }, "10", false],
    ["a number above the safe integers", { ban: 2 ** 53 }, "10", false],
  ])("%s", (_title, content, version, expected) =>
    expect(isAllowed(content, { version, from: null })).toBe(expected),
  );
});

describe("default levels", () => {
  const levelsOf = (content: JsonObject | undefined): ReturnType<typeof readPowerLevels> =>
    readPowerLevels((type) => {
      if (type === "m.room.create") return { content: {}, sender: owner };
      return content && { content, sender: owner };
    });

  test("give the creator 100, allow any event and need 50 to ban if there are no power levels", () => {
    const levels = levelsOf(undefined);
    expect([levels.of(owner), levels.of(mod)]).toEqual([100, 0]);
    expect([levels.toSend("m.room.name", true), levels.toSend("m.room.message", false)]).toEqual([0, 0]);
    expect([levels.to("ban"), levels.to("kick"), levels.to("redact"), levels.to("invite")]).toEqual([
      50, 50, 50, 0,
    ]);
  });

  test("give the creator 0 and need 50 for state if the power levels are empty", () => {
    const levels = levelsOf({});
    expect([levels.of(owner), levels.toSend("org.x", true), levels.toSend("org.x", false)]).toEqual([
      0, 50, 0,
    ]);
    expect(levels.toNotify("room")).toBe(50);
  });
});

describe("creators of a version 12 room", () => {
  const state: StateView = (type) => {
    if (type === "m.room.create")
      return { content: { room_version: "12", additional_creators: [peer] }, sender: owner };
    return type === "m.room.power_levels" ? { content: { users: { [mod]: 100 } }, sender: owner } : undefined;
  };

  test("have an infinite level", () => {
    const levels = readPowerLevels(state);
    expect([owner, peer, mod].map((userId) => levels.of(userId))).toEqual([Infinity, Infinity, 100]);
  });

  test.each<[string, JsonObject, string, boolean]>([
    ["can give others any level", { users: { [mod]: 1_000_000 } }, owner, true],
    ["can remove levels", { users: {} }, peer, true],
    ["cannot be given a level", { users: { [mod]: 100, [owner]: 100 } }, owner, false],
    ["cannot be given a level by others", { users: { [mod]: 100, [peer]: 0 } }, mod, false],
  ])("%s", (_title, content, sender, expected) => {
    const draft = { type: "m.room.power_levels", stateKey: "", sender, content };
    const fault = findPowerLevelFault(findRoomVersion("12") as RoomVersion, draft, state);
    expect(fault === undefined).toBe(expected);
  });
});
