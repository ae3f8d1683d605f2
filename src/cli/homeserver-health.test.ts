import { expect, it } from "vitest";
import { describeHomeserverTrouble } from "./homeserver-health.ts";

it.each([
  ["ready", 0, undefined],
  ["starting", 0, undefined],
  ["ready", 1, /did not respond once/],
  ["starting", 2, /did not respond 2 times/],
  ["unresponsive", 1, /does not respond/],
  ["failed", 5, /not started again/],
] as const)("%s after %i stalls: %s", (state, stalls, expected) => {
  const said = describeHomeserverTrouble({ state, stalls, trouble: "" });
  if (expected) expect(said).toMatch(expected);
  else expect(said).toBeUndefined();
});
