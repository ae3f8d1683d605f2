import { pathToFileURL } from "node:url";
import type { HostInstall } from "../host.ts";

/** One MCP server serves all sessions of a process: our plugin names the session in each call. */
const environment = { ROOKERY_SESSION_ARGUMENT: "rookery_session" };

export const install: HostInstall = {
  command: "opencode",
  folder: { parentVariable: "XDG_CONFIG_HOME", name: ".config/opencode" },
  files: (plugin) => [
    {
      path: "opencode.json",
      entries: [
        { at: ["plugin"], isListed: true, value: `${pathToFileURL(plugin).href}/dist/opencode.js` },
        {
          at: ["mcp", "rookery"],
          isListed: false,
          value: {
            type: "local",
            command: ["sh", `${plugin}/bin/rookery`, "mcp"],
            enabled: true,
            environment,
          },
        },
      ],
    },
  ],
};
