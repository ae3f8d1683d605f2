import { rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { locateStaged, readStagedBuild } from "../shared/staged.ts";
import { prepareHome } from "../config/home.ts";
import { openBackups } from "../install/backups.ts";
import { findClaude } from "../install/find-claude.ts";
import type { HostSource } from "../install/install-host.ts";
import type { PluginInstall } from "../install/plugin.ts";
import type { InstallLocations } from "../install/registration.ts";
import type { ClaudeFolders } from "../install/scopes.ts";
import { stagePlugin } from "../install/stage.ts";
import { build } from "../shared/build.ts";
import type { CliContext } from "./command.ts";

/** Stages this build for sessions, unless a newer one is staged already. Returns the plugin's folder. */
export function stageForSessions({ home, pluginRoot, printNote }: CliContext): string {
  prepareHome(home);
  if (stagePlugin(home.app, { pluginRoot, build }) === "newer")
    printNote(
      `A newer Rookery is in ${home.app} and stays. To go back to ${build.version}: rookery uninstall first.`,
    );
  rmSync(home.orphanedSessions, { force: true });
  return locateStaged(home.app);
}

/** Undefined if Claude Code is not installed. */
export function makePluginInstall({ environment, home }: CliContext): PluginInstall | undefined {
  const claude = findClaude(environment.PATH);
  if (!claude) return undefined;
  return {
    claude,
    marketplace: join(home.app, "current"),
    version: readStagedBuild(home.app)?.version ?? build.version,
    configDir: locateClaudeFolder({ environment }),
    backups: openBackups(home.backups),
  };
}

/** The build that other hosts get. */
export function makeHostSource({ home }: Pick<CliContext, "home">): HostSource {
  return {
    app: home.app,
    marketplace: join(home.app, "current"),
    version: readStagedBuild(home.app)?.version ?? build.version,
    backups: openBackups(home.backups),
  };
}

/** The places where Rookery may be registered. */
export function findInstallLocations(context: CliContext): InstallLocations {
  const { environment, home } = context;
  return {
    claude: findClaude(environment.PATH),
    folders: locateClaudeFolders(context),
    backups: openBackups(home.backups),
  };
}

function locateClaudeFolders({ environment, cwd }: CliContext): ClaudeFolders {
  const { CLAUDE_CONFIG_DIR, HOME } = environment;
  return {
    configDir: locateClaudeFolder({ environment }),
    state: join(CLAUDE_CONFIG_DIR || HOME || homedir(), ".claude.json"),
    project: cwd,
  };
}

/** Claude Code's configuration folder. */
export function locateClaudeFolder({ environment }: Pick<CliContext, "environment">): string {
  return environment.CLAUDE_CONFIG_DIR || join(environment.HOME || homedir(), ".claude");
}

/** Where the command may be linked. */
export function makeLinkOptions({ environment, home }: Pick<CliContext, "environment" | "home">) {
  return { path: environment.PATH, userHome: environment.HOME || homedir(), app: home.app };
}
