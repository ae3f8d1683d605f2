import { join } from "node:path";
import { install as host } from "../hosts/claude-code/install.ts";
import type { Path } from "./json-text.ts";

/** Whose sessions: yours everywhere, everybody's in a project, yours in a project. The words are Claude Code's. */
export const scopes = ["user", "project", "local"] as const;
export type Scope = (typeof scopes)[number];

/** Where Claude Code looks. */
export interface ClaudeFolders {
  /** `CLAUDE_CONFIG_DIR`, else `~/.claude`. */
  configDir: string;
  /** Its own state, with your MCP servers: `.claude.json`. */
  state: string;
  /** The project: where `claude` is started. */
  project: string;
}

export interface ScopeFiles {
  settings: string;
  servers: string;
  /** Of the object that holds the servers. */
  serversPath: Path;
}

export function locateScope(scope: Scope, { configDir, state, project }: ClaudeFolders): ScopeFiles {
  const files: Record<Scope, ScopeFiles> = {
    user: { settings: join(configDir, host.settingsFile), servers: state, serversPath: ["mcpServers"] },
    project: {
      settings: join(project, host.projectFolder, host.settingsFile),
      servers: join(project, host.serversFile),
      serversPath: ["mcpServers"],
    },
    local: {
      settings: join(project, host.projectFolder, host.localSettingsFile),
      servers: state,
      serversPath: ["projects", project, "mcpServers"],
    },
  };
  return files[scope];
}
