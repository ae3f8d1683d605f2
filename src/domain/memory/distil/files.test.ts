import { expect, test } from "vitest";
import { isScratch } from "./files.ts";

test.each([
  ["/tmp/claude-501/tasks/b12.output", true],
  ["/private/tmp/notes.md", true],
  ["/home/ada/.claude/plans/quiet-otter.md", true],
  ["C:\\Users\\ada\\AppData\\Local\\Temp\\x\\scratchpad\\driver.zsh", true],
  ["src/tmp/cache.ts", false],
  ["/home/ada/shop/docs/plans/labels.md", false],
])("%s is a scratch file: %s", (file, expected) => {
  expect(isScratch(file)).toBe(expected);
});
