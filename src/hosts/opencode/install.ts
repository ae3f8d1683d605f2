import { pathToFileURL } from "node:url";
import type { HostInstall } from "../host.ts";
import { sessionArgument } from "./session-argument.ts";

const environment = { ROOKERY_SESSION_ARGUMENT: sessionArgument };

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
