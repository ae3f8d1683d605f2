import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findSettingsHooks } from "./settings-hooks.ts";

const folder = mkdtempSync(join(tmpdir(), "rk-settings-"));
afterAll(() => rmSync(folder, { recursive: true }));

const find = (content: string) => {
  const file = join(folder, "settings.json");
  writeFileSync(file, content);
  return findSettingsHooks([file]).map(({ script, event }) => `${script} ${event}`);
};
const stop = (...handlers: object[]): string => JSON.stringify({ hooks: { Stop: [{ hooks: handlers }] } });

test.each<[string, string, string[]]>([
  ["as a program", stop({ command: "/a/hooks/hook.sh", args: ["Stop"] }), ["/a/hooks/hook.sh Stop"]],
  [
    "as an argument of bash",
    stop({ command: "bash", args: ["/a/hooks/hook.sh", "Stop"] }),
    ["/a/hooks/hook.sh Stop"],
  ],
  ["as one line", stop({ command: "bash /a/hooks/hook.sh Stop" }), ["/a/hooks/hook.sh Stop"]],
  ["quoted", stop({ command: `bash "/a/hooks/hook.sh" Stop` }), ["/a/hooks/hook.sh Stop"]],
  [
    "the Node leaf",
    stop({ command: "node", args: ["/a/dist/hook-leaf.js", "Stop"] }),
    ["/a/dist/hook-leaf.js Stop"],
  ],
  ["others' hooks", stop({ command: "bash /a/hooks/my-hook.sh Stop" }, { command: "notify-send done" }), []],
  ["no hooks", "{}", []],
  ["values that are not hooks", '{"hooks": {"Stop": [null, {"hooks": "x"}, {"hooks": [{}]}]}}', []],
  ["invalid JSON", "{", []],
])("%s", (_name, content, expected) => {
  expect(find(content)).toEqual(expected);
});

test.each([
  ["/a/hooks/hook.sh", ["Stop"], false],
  ["bash /a/hooks/hook.sh Stop", undefined, false],
  ["bash", ["/a/hooks/hook.sh", "Stop"], true],
])("%s with the arguments %j runs the payload where arguments are ignored: %s", (command, args, expected) => {
  const file = join(folder, "settings.json");
  writeFileSync(file, stop({ command, args }));
  expect(findSettingsHooks([file]).map(({ runsPayload }) => runsPayload)).toEqual([expected]);
});

test("a missing file has none", () => {
  expect(findSettingsHooks([join(folder, "nowhere.json")])).toEqual([]);
});
