import { expect, test } from "vitest";
import type { Membership } from "./event.ts";
import { isVisible, type Past, type Visibility } from "./history-visibility.ts";

const me = "@me:here";

/** `join@5 leave@9`: what held from when on. */
function steps<T extends string>(text: string): { from: number; value: T }[] {
  return text
    .split(" ")
    .filter(Boolean)
    .map((step) => ({ from: Number(step.split("@")[1]), value: step.split("@")[0] as T }));
}

/** The positions from 1 to 12 at which a message could be seen. */
function seen(rule: string, memberships: string): number[] {
  const past: Past = {
    memberships: steps<Membership>(memberships),
    visibilities: steps<Visibility>(rule),
  };
  return Array.from({ length: 12 }, (_, i) => i + 1).filter((stream) =>
    isVisible({ stream, type: "m.room.message", stateKey: undefined }, me, past),
  );
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

test.each<[string, string, string, number[]]>([
  ["a stranger, what anybody may read", "world_readable@1", "", range(1, 12)],
  ["a stranger, nothing that is shared", "shared@1", "", []],
  ["a member, all that is shared", "shared@1", "join@5", range(1, 12)],
  ["a member, where nothing is said about it: shared", "", "join@5", range(1, 12)],
  ["whoever left, what was shared until then", "shared@1", "join@5 leave@9", range(1, 9)],
  ["whoever came back, also what was shared meanwhile", "shared@1", "join@2 leave@4 join@8", range(1, 12)],
  ["somebody invited, nothing that is shared before they join", "shared@1", "invite@5", []],
  ["a member, from their invitation on", "invited@1", "invite@5 join@8", range(5, 12)],
  ["a member without an invitation, from their coming on", "invited@1", "join@8", range(8, 12)],
  ["a member, from their coming on", "joined@1", "invite@5 join@8", range(8, 12)],
  [
    "whoever left, what was said while they were in",
    "joined@1",
    "join@3 leave@6 join@9 ban@11",
    [3, 4, 5, 9, 10],
  ],
  [
    "a member, by the rule of the time",
    "shared@1 joined@4 world_readable@7 invited@9",
    "join@11",
    [...[1, 2, 3, 7, 8, 11, 12]],
  ],
])("%s", (_title, rule, memberships, expected) => expect(seen(rule, memberships)).toEqual(expected));

test.each<[string, string, string, number, string | undefined, boolean]>([
  ["one's own coming", "joined@1", "join@5", 5, me, true],
  ["one's own going", "joined@1", "join@5 leave@9", 9, me, true],
  ["one's own ban, which ends it", "joined@1", "join@5 ban@9", 9, me, true],
  ["somebody else's going after one's own", "joined@1", "join@5 leave@9", 10, "@other:here", false],
  ["one's own invitation", "invited@1", "invite@5", 5, me, true],
])("of memberships, %s", (_title, rule, memberships, stream, stateKey, expected) =>
  expect(
    isVisible({ stream, type: "m.room.member", stateKey }, me, {
      memberships: steps<Membership>(memberships),
      visibilities: steps<Visibility>(rule),
    }),
  ).toBe(expected),
);

test.each<[string, string, boolean]>([
  ["that opens the room", "joined@1 world_readable@5", true],
  ["that closes it", "world_readable@1 joined@5", true],
  ["between two that hide", "joined@1 invited@5", false],
])("a change of the rule %s", (_title, rule, expected) =>
  expect(
    isVisible({ stream: 5, type: "m.room.history_visibility", stateKey: "" }, me, {
      memberships: [],
      visibilities: steps<Visibility>(rule),
    }),
  ).toBe(expected),
);
