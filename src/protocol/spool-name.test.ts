import { expect, test } from "vitest";
import { parseEventName, parseSpoolName } from "./spool-name.ts";

const id = "1794797376878000.4242.17";

test("a spool file names its event, and its host if the hook knows it", () => {
  expect(parseSpoolName(`Stop.${id}`)).toMatchObject({ event: "Stop", host: undefined, id });
  expect(parseSpoolName(`Stop@claude-code.${id}`)).toMatchObject({ event: "Stop", host: "claude-code", id });
  expect(parseEventName("Stop")).toEqual({ event: "Stop", host: undefined });
  expect(parseEventName("Stop@codex")).toEqual({ event: "Stop", host: "codex" });
});

test.each(["Stop@", "Stop@Codex", "Stop@a@b", "Stop@../x", "@codex", `Stop@${"x".repeat(31)}`])(
  "%s names no event",
  (name) => {
    expect(parseEventName(name)).toBeUndefined();
    expect(parseSpoolName(`${name}.${id}`)).toBeUndefined();
  },
);
