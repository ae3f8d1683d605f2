import { pathToFileURL } from "node:url";
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
  hint: "Copilot CLI: turn on its experimental features (`/settings experimental on`) and let our extension handle permission requests; its dialogs can then be answered from elsewhere, and messages wake it.",
  hintDone: { file: "settings.json", by: (text) => /"experimental"\s*:\s*true/.test(text) },
  files: (plugin) => [
    { path: "extensions/rookery/extension.mjs", text: makeExtension(plugin) },
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

/** Only a file in this folder can import Copilot's own library. */
function makeExtension(plugin: string): string {
  return `import { joinSession } from "@github/copilot-sdk/extension";
import { RookeryPlugin } from ${JSON.stringify(`${pathToFileURL(plugin).href}/dist/copilot.js`)};

await RookeryPlugin({ joinSession });
`;
}
