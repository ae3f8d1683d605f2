import { makeHookEntries, makeMcpEntry } from "../hook-entries.ts";
import type { HostInstall } from "../host.ts";
import { events } from "./events.ts";

export const install: HostInstall = {
  command: "gemini",
  folder: { parentVariable: "GEMINI_CLI_HOME", name: ".gemini" },
  files: (plugin) => [
    {
      path: "settings.json",
      entries: [
        ...makeHookEntries(Object.keys(events.names), plugin, "gemini", timeoutMs),
        makeMcpEntry(plugin),
      ],
    },
  ],
};

function timeoutMs(event: string): number {
  return event === "SessionStart" ? 10_000 : 5_000;
}
