import { expect, it } from "vitest";
import { escapeControls, showControls } from "./show-controls.ts";

it.each([
  ["plain\n\ttext", "plain\n\ttext"],
  ["\u001b[1mbold\u001b[0m", "\u001b[1mbold\u001b[0m"],
  ["\u001b]0;title\u0007", "‹U+001B›]0;title‹U+0007›"],
  ["\u001b[2Jgone", "‹U+001B›[2Jgone"],
  ["\u001b[8mconcealed", "‹U+001B›[8mconcealed"],
  ["one\rtwo", "one‹U+000D›two"],
  ["\u009b31m", "‹U+009B›31m"],
  ["txt.\u202eexe", "txt.‹U+202E›exe"],
  ["👩‍👩‍👧 漢字", "👩‍👩‍👧 漢字"],
])("a terminal shows %j as %j", (text, shown) => {
  expect(showControls(text, true)).toBe(shown);
});

it("shows every escape in piped text, where we add no colours", () => {
  expect(showControls("\u001b[31mred\u001b[0m", false)).toBe("‹U+001B›[31mred‹U+001B›[0m");
});

it("escapes control characters in JSON without changing its values", () => {
  const value = { title: "a\u001b[2J\u009b31m\u202eb\n" };
  const json = escapeControls(JSON.stringify(value, null, 2));
  for (const control of ["\u001b", "\u009b", "\u202e"]) expect(json).not.toContain(control);
  expect(JSON.parse(json)).toEqual(value);
});
