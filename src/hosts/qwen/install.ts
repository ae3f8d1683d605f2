import { makeHookEntries, makeMcpEntry } from "../hook-entries.ts";
import type { HostInstall } from "../host.ts";
import { events } from "./events.ts";

const longMs: Readonly<Record<string, number>> = { SessionStart: 10_000, PermissionRequest: 14_400_000 };

export const install: HostInstall = {
  command: "qwen",
  folder: { name: ".qwen" },
  files: (plugin) => [
    {
      path: "settings.json",
      entries: [
        ...makeHookEntries(Object.keys(events.names), plugin, "qwen", (event) => longMs[event] ?? 5_000),
        makeMcpEntry(plugin),
      ],
    },
  ],
};
