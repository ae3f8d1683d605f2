import { makeHookCommand, makeMcpEntry } from "../hook-entries.ts";
import type { HostInstall } from "../host.ts";

/** Copilot's names of the events that we register, and ours for the hook. */
const hooks: readonly [own: string, passed: string, seconds: number][] = [
  ["sessionStart", "SessionStart", 10],
  ["userPromptSubmitted", "UserPromptSubmit", 5],
  ["preToolUse", "PreToolUse", 5],
  ["postToolUse", "PostToolUse", 5],
  ["postToolUseFailure", "PostToolUseFailure", 5],
  ["notification", "Notification", 5],
  ["subagentStart", "SubagentStart", 5],
  ["subagentStop", "SubagentStop", 5],
  ["preCompact", "PreCompact", 5],
  ["agentStop", "Stop", 5],
  ["errorOccurred", "ErrorOccurred", 5],
  ["sessionEnd", "SessionEnd", 5],
];

export const install: HostInstall = {
  command: "copilot",
  folder: { variable: "COPILOT_HOME", name: ".copilot" },
  files: (plugin) => [
    { path: "hooks/rookery.json", text: `${JSON.stringify(makeHooks(plugin), null, 2)}\n` },
    { path: "mcp-config.json", entries: [makeMcpEntry(plugin, { type: "local", tools: ["*"] })] },
  ],
};

function makeHooks(plugin: string): object {
  const entries = hooks.map(([own, passed, timeoutSec]) => [
    own,
    [{ type: "command", bash: makeHookCommand(plugin, passed, "copilot"), timeoutSec }],
  ]);
  return { version: 1, hooks: Object.fromEntries(entries) };
}
