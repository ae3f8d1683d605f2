import { expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import type { StateView, StoredEvent } from "./event.ts";
import { pickHeroes } from "./room-summary.ts";

const me = "@me:here";

/** Members in the order they came; `named` is what the room is called. */
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
  ["the first five, in the order they came", [[me, "join"], ...many], {}, many.slice(0, 5).map(([id]) => id)],
  [
    "those invited as well, those gone not",
    [
      ["@a:b", "leave"],
      ["@c:d", "invite"],
      ["@e:f", "knock"],
    ],
    {},
    ["@c:d"],
  ],
  [
    "those gone, when nobody is left",
    [
      [me, "join"],
      ["@a:b", "leave"],
      ["@c:d", "ban"],
    ],
    {},
    ["@a:b", "@c:d"],
  ],
  ["nobody, where the room has a name", many, { "m.room.name": { name: "N" } }, []],
  ["nobody, where it has an alias", many, { "m.room.canonical_alias": { alias: "#a:b" } }, []],
  ["somebody, where the name is empty", many.slice(0, 1), { "m.room.name": { name: "" } }, ["@f:here"]],
])("a room is known by %s", (_title, members, named, expected) =>
  expect(pickHeroes(makeRoom(members, named), me)).toEqual(expected),
);
