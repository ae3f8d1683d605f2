import { expect, test } from "vitest";
import type { Membership } from "./event.ts";
import { isVisible, type VisibilityHistory, type Visibility } from "./history-visibility.ts";

const me = "@me:here";

/** Parses values with their start positions, such as `join@5 leave@9`. */
function steps<T extends string>(text: string): { from: number; value: T }[] {
  return text
    .split(" ")
    .filter(Boolean)
    .map((step) => ({ from: Number(step.split("@")[1]), value: step.split("@")[0] as T }));
}

/** The positions from 1 to 12 at which a message is visible. */
function visiblePositions(rule: string, memberships: string): number[] {
  const history: VisibilityHistory = {
    memberships: steps<Membership>(memberships),
    visibilities: steps<Visibility>(rule),
  };
  return Array.from({ length: 12 }, (_, i) => i + 1).filter((stream) =>
    isVisible({ stream, type: "m.room.message", stateKey: undefined }, me, history),
  );
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

test.each<[string, string, string, number[]]>([
  ["a non-member sees world-readable history", "world_readable@1", "", range(1, 12)],
  ["a non-member sees no shared history", "shared@1", "", []],
  ["a member sees all shared history", "shared@1", "join@5", range(1, 12)],
  ["a member sees all history if there is no rule", "", "join@5", range(1, 12)],
  ["a former member sees shared history until they left", "shared@1", "join@5 leave@9", range(1, 9)],
  [
    "a returning member also sees the shared history in between",
    "shared@1",
    "join@2 leave@4 join@8",
    range(1, 12),
  ],
  ["an invited user sees no shared history before joining", "shared@1", "invite@5", []],
  ["a member sees history since their invitation", "invited@1", "invite@5 join@8", range(5, 12)],
  ["a member without an invitation sees history since their join", "invited@1", "join@8", range(8, 12)],
  ["a member sees history since their join", "joined@1", "invite@5 join@8", range(8, 12)],
  [
    "a former member sees messages sent while they were joined",
    "joined@1",
    "join@3 leave@6 join@9 ban@11",
    [3, 4, 5, 9, 10],
  ],
  [
    "each message follows the rule at its time",
    "shared@1 joined@4 world_readable@7 invited@9",
    "join@11",
    [...[1, 2, 3, 7, 8, 11, 12]],
  ],
])("%s", (_title, rule, memberships, expected) =>
  expect(visiblePositions(rule, memberships)).toEqual(expected),
);

test.each<[string, string, string, number, string | undefined, boolean]>([
  ["their join", "joined@1", "join@5", 5, me, true],
  ["their leave", "joined@1", "join@5 leave@9", 9, me, true],
  ["their ban", "joined@1", "join@5 ban@9", 9, me, true],
  ["another user's leave after their own", "joined@1", "join@5 leave@9", 10, "@other:here", false],
  ["their invitation", "invited@1", "invite@5", 5, me, true],
])("a user's view of %s", (_title, rule, memberships, stream, stateKey, expected) =>
  expect(
    isVisible({ stream, type: "m.room.member", stateKey }, me, {
      memberships: steps<Membership>(memberships),
      visibilities: steps<Visibility>(rule),
    }),
  ).toBe(expected),
);

test.each<[string, string, boolean]>([
  ["that makes the room world-readable", "joined@1 world_readable@5", true],
  ["that hides it again", "world_readable@1 joined@5", true],
  ["between two restrictive rules", "joined@1 invited@5", false],
])("visibility of a rule change %s", (_title, rule, expected) =>
  expect(
    isVisible({ stream: 5, type: "m.room.history_visibility", stateKey: "" }, me, {
      memberships: [],
      visibilities: steps<Visibility>(rule),
    }),
  ).toBe(expected),
);
