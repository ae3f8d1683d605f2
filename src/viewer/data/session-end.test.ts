import { expect, test } from "vitest";
import { describeSessionEnd } from "./session-end.ts";

test.each([
  ["prompt_input_exit", "ended: you exited"],
  ["import", "ended: imported"],
  ["other", "ended"],
  [null, "ended"],
  ["window_closed", "ended: window closed"],
])("the reason %s reads %s", (reason, text) => {
  expect(describeSessionEnd(reason)).toBe(text);
});
