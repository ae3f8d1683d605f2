import { expect, test } from "vitest";
import { install } from "./install.ts";

const { plugin } = install;
const trust = (event: string) =>
  `[hooks.state."rookery@rookery:hosts/codex/hooks.json:${event}:0:0"]\ntrusted_hash = "sha256:1"\n`;

test.each([
  ["nothing", 'model = "x"\n', 0],
  ["our trust", `model = "x"\n\n[hooks.state]\n\n${trust("stop")}\n${trust("session_end")}`, 2],
  ["our trust before another table", `model = "x"\n\n[hooks.state]\n\n${trust("stop")}\n[tui]\na = 1\n`, 1],
])("removing the plugin leaves the configuration without %s", (_what, text, count) => {
  expect(plugin?.countTrusted(text, "rookery@rookery")).toBe(count);
  const cleaned = plugin?.cleanConfig(text, "rookery@rookery") ?? "";
  expect(cleaned).toBe(text.includes("[tui]") ? 'model = "x"\n\n[tui]\na = 1\n' : 'model = "x"\n');
});

test("the trust in other hooks is kept", () => {
  const text = `[hooks.state]\n\n[hooks.state."/home/me/.codex/hooks.json:stop:0:0"]\ntrusted_hash = "x"\n\n${trust("stop")}`;
  expect(plugin?.cleanConfig(text, "rookery@rookery")).toBe(
    '[hooks.state]\n\n[hooks.state."/home/me/.codex/hooks.json:stop:0:0"]\ntrusted_hash = "x"\n',
  );
});
