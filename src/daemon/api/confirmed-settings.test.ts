import { beforeEach, expect, it } from "vitest";
import { parseConfig } from "../../config/load.ts";
import type { Config } from "../../config/schema.ts";
import { openStore, type Store } from "../../store/open-store.ts";
import { type ConfirmedSettings, openConfirmedSettings } from "./confirmed-settings.ts";

let store: Store;
beforeEach(() => {
  store = openStore(":memory:", () => 0);
});
const open = (first: object = {}): ConfirmedSettings => openConfirmedSettings(store.meta, parseConfig(first));
const enforce = (settings: ConfirmedSettings, tree: object): Config =>
  settings.enforce({ config: parseConfig(tree), sources: {} }).config;

it("accepts the settings of the first start, and ignores later changes until they are confirmed", () => {
  open({ matrix: { owner: "ada" } });
  const settings = open();
  const changed = { matrix: { owner: "eve", command: "evil" }, context: { tokens: 700 } };
  expect(settings.listUnconfirmed(parseConfig(changed))).toEqual(["matrix.command", "matrix.owner"]);
  expect(enforce(settings, changed)).toMatchObject({
    matrix: { owner: "ada", command: "" },
    context: { tokens: 700 },
  });
  settings.confirm(["matrix.command"], parseConfig(changed));
  expect(enforce(open(), changed).matrix).toMatchObject({ owner: "ada", command: "evil" });
});

it("also ignores the removal of a confirmed value", () => {
  const settings = open({ capture: { exclude: ["secret.txt"] } });
  expect(enforce(settings, {}).capture.exclude).toEqual(["secret.txt"]);
  settings.confirm(["capture.exclude"], parseConfig({}));
  expect(enforce(open(), {}).capture.exclude).toContain(".env");
});

it("compares values, not their spelling", () => {
  const settings = open({ capture: { exclude: ["a", "b"] } });
  const fromVariable = parseConfig({ capture: { exclude: "a, b" }, matrix: { owner: "" } });
  expect(settings.listUnconfirmed(fromVariable)).toEqual([]);
});

it("uses the default if a confirmed value is no longer valid", () => {
  store.meta.set("settings.confirmed", JSON.stringify({ "matrix.registration": "by-invitation" }));
  expect(enforce(open(), {}).matrix.registration).toBe("closed");
});

it("reports a list once, and again after it was empty", () => {
  const settings = open();
  const lists = [["a"], ["a"], ["a", "b"], [], ["a", "b"]];
  expect(lists.map((list) => settings.isUnreported(list))).toEqual([true, false, true, false, true]);
});
