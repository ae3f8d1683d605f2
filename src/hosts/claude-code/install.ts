import type { HostInstall } from "../host.ts";

/** More names than for other hosts, because Claude Code has plugins and settings in three scopes. */
export const install = {
  command: "claude",
  folder: { variable: "CLAUDE_CONFIG_DIR", name: ".claude" },
  /** The folder in a project. */
  projectFolder: ".claude",
  settingsFile: "settings.json",
  localSettingsFile: "settings.local.json",
  /** Claude Code's state, with the person's MCP servers. */
  stateFile: ".claude.json",
  /** MCP servers of a project. */
  serversFile: ".mcp.json",
  /** Placeholder for the plugin's folder in its own files. */
  pluginRootVariable: "${CLAUDE_PLUGIN_ROOT}",
  /** Files under the configuration folder that name installed plugins. */
  pluginFiles: ["plugins/known_marketplaces.json", "plugins/installed_plugins.json"],
  /** Folder under the configuration folder with copies of plugins, by marketplace. */
  pluginCache: "plugins/cache",
  pluginCommands: {
    list: ["plugin", "list", "--json"],
    addMarketplace: (folder: string) => ["plugin", "marketplace", "add", folder],
    removeMarketplace: (name: string) => ["plugin", "marketplace", "remove", name],
    install: (pluginId: string) => ["plugin", "install", pluginId],
    update: (pluginId: string) => ["plugin", "update", pluginId],
    uninstall: (pluginId: string) => ["plugin", "uninstall", pluginId],
  },
} as const satisfies HostInstall & Record<string, unknown>;
