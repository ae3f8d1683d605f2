import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Build, isNewerBuild, readBuildFile } from "./build.ts";

/** A daemon script and its build. */
interface DaemonBuild {
  daemonScript: string;
  build: Build;
}

/** The plugin's folder in our home. The path is stable, because hooks, servers and status lines are registered with it. */
export function locateStaged(app: string): string {
  return join(app, "current", "plugin");
}

export function readStagedBuild(app: string): Build | undefined {
  return readPluginBuild(locateStaged(app));
}

export function readPluginBuild(plugin: string): Build | undefined {
  return readBuildFile(join(plugin, "dist", "build.json"));
}

/** The file with the path of the plugin folder (in a package or checkout) that the copy in our home was made from. */
export function locateSourceFile(app: string): string {
  return join(app, "current", "source");
}

export function readSource(app: string): string | undefined {
  try {
    return readFileSync(locateSourceFile(app), "utf8").trim() || undefined;
  } catch {
    return undefined; // Nothing is staged, or an older version staged it without this file.
  }
}

/**
 * Prefers the copy in our home unless our own build is newer: our own folder may be replaced or removed while the daemon
 * still loads modules from it.
 */
export function chooseDaemonBuild(app: string, own: DaemonBuild): DaemonBuild {
  const installed = readInstalledDaemon(app);
  return !installed || isNewerBuild(own.build, installed.build) ? own : installed;
}

export function readInstalledDaemon(app: string): DaemonBuild | undefined {
  const build = readStagedBuild(app);
  return build && { daemonScript: join(locateStaged(app), "dist", "daemon.js"), build };
}
