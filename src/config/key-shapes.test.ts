import { expect, test } from "vitest";
import { choiceMeanings, listShapedKeys } from "./key-shapes.ts";

test("every value of every enum setting is explained, and nothing else", () => {
  const shaped = listShapedKeys().filter(({ choices }) => choices);
  expect(shaped.map(({ path }) => path).toSorted()).toEqual(Object.keys(choiceMeanings).toSorted());
  for (const { path, choices } of shaped) {
    expect(choices?.map(({ value }) => value)).toEqual(Object.keys(choiceMeanings[path] ?? {}));
    expect(choices?.filter(({ meaning }) => meaning === "")).toEqual([]);
  }
});

test("the limits are those of the schema", () => {
  const find = (path: string) => listShapedKeys().find((key) => key.path === path);
  expect(find("context.tokens")).toMatchObject({ min: 0, max: 2400, choices: null });
  expect(find("model.dailyTokens")).toMatchObject({ min: 0, max: null });
  expect(find("notify.done")).toMatchObject({ min: null, max: null });
});
