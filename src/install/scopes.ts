import { join } from "node:path";
import { defaultHost } from "../hosts/hosts.ts";
import type { Path } from "./json-text.ts";

const { install: host } = defaultHost;

/** Claude Code's own names: you in all projects, everybody in one project, you in one project. */
export const scopes = ["user", "project", "local"] as const;
export type Scope = (typeof scopes)[number];

/** The files and folders that Claude Code reads. */
export interface ClaudeFolders {
  /** `CLAUDE_CONFIG_DIR`, else `~/.claude`. */
  configDir: string;
  /** Claude Code's state file with the user's MCP servers: `.claude.json`. */
  state: string;
  /** The project: the folder in which `claude` is started. */
  project: string;
}

export interface ScopeFiles {
  settings: string;
  servers: string;
  /** Path of the object that holds the servers. */
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
