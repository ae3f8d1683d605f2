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
  ...{ ban: 50, kick: 50, redact: 100, notifications: { room: 100 } },
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

describe("a change of levels by a moderator", () => {
  test.each<[string, JsonObject, boolean]>([
    ["nothing at all", before, true],
    ["a level up to their own", { ...before, ban: 25 }, true],
    ["a level above their own", { ...before, ban: 51 }, false],
    ["what stands above them", { ...before, redact: 50 }, false],
    ["what stands above them, by leaving it out", (({ redact: _redact, ...rest }) => rest)(before), false],
    ["a level that was not there", { ...before, state_default: 50 }, true],
    ["a level that was not there, too high", { ...before, users_default: 60 }, false],
    ["an event's level", { ...before, events: { ...(before.events as object), "m.room.name": 0 } }, true],
    [
      "an event's level above them",
      { ...before, events: { "m.room.name": 50, "m.room.encryption": 50 } },
      false,
    ],
    ["an event's level above them, by leaving it out", { ...before, events: { "m.room.name": 50 } }, false],
    [
      "a newcomer up to their own",
      { ...before, users: { ...(before.users as object), "@new:here": 50 } },
      true,
    ],
    ["a newcomer above them", { ...before, users: { ...(before.users as object), "@new:here": 51 } }, false],
    ["themselves down", { ...before, users: { [owner]: 100, [mod]: 0, [peer]: 50 } }, true],
    ["themselves out", { ...before, users: { [owner]: 100, [peer]: 50 } }, true],
    ["themselves up", { ...before, users: { [owner]: 100, [mod]: 100, [peer]: 50 } }, false],
    ["an equal down", { ...before, users: { [owner]: 100, [mod]: 50, [peer]: 49 } }, false],
    ["an equal out", { ...before, users: { [owner]: 100, [mod]: 50 } }, false],
    ["one above down", { ...before, users: { [owner]: 50, [mod]: 50, [peer]: 50 } }, false],
    ["who may shout", { ...before, notifications: { room: 50 } }, false],
  ])("%s", (_title, next, expected) => expect(isAllowed(next)).toBe(expected));

  test("may touch who may shout where versions do not guard it", () =>
    expect(isAllowed({ ...before, notifications: { room: 50 } }, { version: "5" })).toBe(true));
  test("is free where there were none", () =>
    expect(isAllowed({ users: { [mod]: 1_000 } }, { from: null })).toBe(true));
  test("lowers everybody from one's own level, named oneself", () =>
    expect(
      isAllowed(
        { users: { [mod]: 50 }, users_default: 40 },
        { from: { users: { [mod]: 50 }, users_default: 50 } },
      ),
    ).toBe(true));
});

describe("levels that are none", () => {
  test.each<[string, JsonObject, string, boolean]>([
    ["text, in version 10", { ban: "50" }, "10", false],
    ["text, before it", { ban: "50" }, "9", true],
    ["text with spaces, before it", { users: { [mod]: " 50 " } }, "9", true],
    ["other text", { ban: "fifty" }, "9", false],
    ["a fraction", { ban: 1.5 }, "9", false],
    ["nothing", { ban: null }, "10", false],
    ["a list of users", { users: [mod] }, "10", false],
    ["a user who is none", { users: { mod: 50 } }, "10", false],
    ["an event's in text", { events: { "m.room.name": "50" } }, "10", false],
    ["a number too large to be one", { ban: 2 ** 53 }, "10", false],
  ])("%s", (_title, content, version, expected) =>
    expect(isAllowed(content, { version, from: null })).toBe(expected),
  );
});

describe("what a room says nothing about", () => {
  const levelsOf = (content: JsonObject | undefined): ReturnType<typeof readPowerLevels> =>
    readPowerLevels((type) => {
      if (type === "m.room.create") return { content: {}, sender: owner };
      return content && { content, sender: owner };
    });

  test("without levels the creator has 100, everybody may send anything, and few may ban", () => {
    const levels = levelsOf(undefined);
    expect([levels.of(owner), levels.of(mod)]).toEqual([100, 0]);
    expect([levels.toSend("m.room.name", true), levels.toSend("m.room.message", false)]).toEqual([0, 0]);
    expect([levels.to("ban"), levels.to("kick"), levels.to("redact"), levels.to("invite")]).toEqual([
      50, 50, 50, 0,
    ]);
  });

  test("with empty levels the creator is as everybody, and state needs 50", () => {
    const levels = levelsOf({});
    expect([levels.of(owner), levels.toSend("org.x", true), levels.toSend("org.x", false)]).toEqual([
      0, 50, 0,
    ]);
    expect(levels.toNotify("room")).toBe(50);
  });
});

describe("those who made a room of version 12", () => {
  const state: StateView = (type) => {
    if (type === "m.room.create")
      return { content: { room_version: "12", additional_creators: [peer] }, sender: owner };
    return type === "m.room.power_levels" ? { content: { users: { [mod]: 100 } }, sender: owner } : undefined;
  };

  test("stand above all levels", () => {
    const levels = readPowerLevels(state);
    expect([owner, peer, mod].map((userId) => levels.of(userId))).toEqual([Infinity, Infinity, 100]);
  });

  test.each<[string, JsonObject, string, boolean]>([
    ["may give others any level", { users: { [mod]: 1_000_000 } }, owner, true],
    ["may take it", { users: {} }, peer, true],
    ["are given none", { users: { [mod]: 100, [owner]: 100 } }, owner, false],
    ["are given none by others", { users: { [mod]: 100, [peer]: 0 } }, mod, false],
  ])("%s", (_title, content, sender, expected) => {
    const draft = { type: "m.room.power_levels", stateKey: "", sender, content };
    const fault = findPowerLevelFault(findRoomVersion("12") as RoomVersion, draft, state);
    expect(fault === undefined).toBe(expected);
  });
});
