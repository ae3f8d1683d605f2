import { dirname, join } from "node:path";
import { findClaude } from "../install/find-claude.ts";
import { locateClaudeConfig } from "../install/claude-files.ts";
import type { PluginInstall } from "../install/plugin.ts";
import type { CliContext } from "./command.ts";

/** Undefined if the user has no Claude Code. */
export function describeInstall({ environment, home, pluginRoot }: CliContext): PluginInstall | undefined {
  const claude = findClaude(environment.PATH);
  if (!claude) return undefined;
  return {
    claude,
    marketplace: dirname(pluginRoot),
    configDir: locateClaudeFolder({ environment }),
    recordFile: join(home.root, "claude-before.json"),
  };
}

/** Claude Code's own folder. */
export function locateClaudeFolder({ environment }: Pick<CliContext, "environment">): string {
  return locateClaudeConfig(environment.CLAUDE_CONFIG_DIR, environment.HOME);
}
