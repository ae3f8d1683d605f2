import { expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import type { StateView, StoredEvent } from "./event.ts";
import { pickHeroes } from "./room-summary.ts";

const me = "@me:here";

/** Members in the order of their events; `named` holds the name and alias events. */
function makeRoom(members: [userId: string, membership: string][], named: Record<string, JsonObject> = {}) {
  const events = members.map(
    ([stateKey, membership], stream) =>
      ({ stateKey, stream, content: { membership } }) as unknown as StoredEvent,
  );
  const view: StateView = (type) => named[type] && { content: named[type], sender: me };
  return { view, joined: new Set<string>(), stateEvents: () => events };
}

const many = ["f", "e", "d", "c", "b", "a"].map((name): [string, string] => [`@${name}:here`, "join"]);

test.each<[string, [string, string][], Record<string, JsonObject>, string[]]>([
  ["the first five members by join order", [[me, "join"], ...many], {}, many.slice(0, 5).map(([id]) => id)],
  [
    "invited users, but not former members",
    [
      ["@a:b", "leave"],
      ["@c:d", "invite"],
      ["@e:f", "knock"],
    ],
    {},
    ["@c:d"],
  ],
  [
    "former members if no others are left",
    [
      [me, "join"],
      ["@a:b", "leave"],
      ["@c:d", "ban"],
    ],
    {},
    ["@a:b", "@c:d"],
  ],
  ["no one if the room has a name", many, { "m.room.name": { name: "N" } }, []],
  ["no one if it has an alias", many, { "m.room.canonical_alias": { alias: "#a:b" } }, []],
  ["a member if the name is empty", many.slice(0, 1), { "m.room.name": { name: "" } }, ["@f:here"]],
])("the heroes of a room are %s", (_title, members, named, expected) =>
  expect(pickHeroes(makeRoom(members, named), me)).toEqual(expected),
);
