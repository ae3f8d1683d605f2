import type { HostCommands } from "../host.ts";
import { events } from "./events.ts";

/** A prompt reaches its hook before Claude Code expands the slash command in it. */
export const commands: HostCommands = {
  read: (prompt) => /^\s*\/rookery:([a-z-]+)\s*$/.exec(prompt)?.[1],
  // "block" is the only reply that keeps the prompt out of the conversation.
  formatDone: (result) =>
    JSON.stringify({
      decision: "block",
      reason: result,
      hookSpecificOutput: { hookEventName: events.nameOf("prompt"), suppressOriginalPrompt: true },
    }),
};
