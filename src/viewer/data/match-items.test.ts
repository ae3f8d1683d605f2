import { expect, test } from "vitest";
import { matchItems, type PaletteItem } from "./match-items.ts";

const item = (kind: PaletteItem["kind"], text: string, about = ""): PaletteItem => ({
  id: `${kind} ${text}`,
  kind,
  text,
  about,
  run: () => undefined,
});
const items = [
  item("setting", "context.tokens", "Size of the start context"),
  item("session", "Fix the theme of the shop", "webshop-rook"),
  item("command", "Switch the theme"),
  item("command", "Go to Rooms"),
  item("room", "webshop", "project"),
];
const find = (query: string): string[] => matchItems(items, query).map(({ text }) => text);

test("every word must match, and commands come first", () => {
  expect(find("theme")).toEqual(["Switch the theme", "Fix the theme of the shop"]);
  expect(find("theme shop")).toEqual(["Fix the theme of the shop"]);
  expect(find("TOK")).toEqual(["context.tokens"]);
  expect(find("webshop")).toEqual(["Fix the theme of the shop", "webshop"]);
  expect(find("wombat")).toEqual([]);
});

test("without words, the commands are listed", () => {
  expect(find("  ")).toEqual(["Switch the theme", "Go to Rooms"]);
});

test("the start of a text ranks before its middle", () => {
  const rooms = [item("room", "my api"), item("room", "api"), item("room", "rapid")];
  expect(matchItems(rooms, "api").map(({ text }) => text)).toEqual(["api", "my api", "rapid"]);
});
