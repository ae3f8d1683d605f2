import type { HostInstall } from "../host.ts";

export const install: HostInstall = {
  command: "claude",
  projectFolder: ".claude",
  settingsFile: "settings.json",
  localSettingsFile: "settings.local.json",
  stateFile: ".claude.json",
  serversFile: ".mcp.json",
  pluginRootVariable: "${CLAUDE_PLUGIN_ROOT}",
  pluginFiles: ["plugins/known_marketplaces.json", "plugins/installed_plugins.json"],
  pluginCache: "plugins/cache",
  pluginCommands: {
    list: ["plugin", "list", "--json"],
    addMarketplace: (folder) => ["plugin", "marketplace", "add", folder],
    removeMarketplace: (name) => ["plugin", "marketplace", "remove", name],
    install: (pluginId) => ["plugin", "install", pluginId],
    update: (pluginId) => ["plugin", "update", pluginId],
    uninstall: (pluginId) => ["plugin", "uninstall", pluginId],
  },
};
