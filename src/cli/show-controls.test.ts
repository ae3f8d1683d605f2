import { expect, it } from "vitest";
import { showControls } from "./show-controls.ts";

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
])("%j is shown as %j", (text, shown) => {
  expect(showControls(text)).toBe(shown);
});
