import { expect, test } from "vitest";
import { isMachinePrompt } from "./prompts.ts";

test.each<[string, boolean]>([
  ["<task-notification><summary>Done</summary></task-notification>", true],
  ["\n<cross-session-message>Hello</cross-session-message>", true],
  ["Operation stopped by hook: another session works in this folder.\n\nRun `tool --quiet`.", true],
  ["Why was my operation stopped by hook: see below", false],
])("%j is of the host: %s", (prompt, isHosts) => {
  expect(isMachinePrompt(prompt)).toBe(isHosts);
});
