import { expect, test } from "vitest";
import { install } from "./install.ts";

const { plugin } = install;
const trustEntry = (event: string) =>
  `[hooks.state."rookery@rookery:hosts/codex/hooks.json:${event}:0:0"]\ntrusted_hash = "sha256:1"\n`;

test.each([
  ["none are present", 'model = "x"\n', 0],
  ["at the end", `model = "x"\n\n[hooks.state]\n\n${trustEntry("stop")}\n${trustEntry("session_end")}`, 2],
  ["before another table", `model = "x"\n\n[hooks.state]\n\n${trustEntry("stop")}\n[tui]\na = 1\n`, 1],
])("cleanConfig removes our trust entries: %s", (_what, text, count) => {
  expect(plugin?.countTrusted(text, "rookery@rookery")).toBe(count);
  const cleaned = plugin?.cleanConfig(text, "rookery@rookery") ?? "";
  expect(cleaned).toBe(text.includes("[tui]") ? 'model = "x"\n\n[tui]\na = 1\n' : 'model = "x"\n');
});

test("trust entries of other hooks are kept", () => {
  const text = `[hooks.state]\n\n[hooks.state."/home/me/.codex/hooks.json:stop:0:0"]\ntrusted_hash = "x"\n\n${trustEntry("stop")}`;
  expect(plugin?.cleanConfig(text, "rookery@rookery")).toBe(
    '[hooks.state]\n\n[hooks.state."/home/me/.codex/hooks.json:stop:0:0"]\ntrusted_hash = "x"\n',
  );
});
