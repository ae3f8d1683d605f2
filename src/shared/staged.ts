import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Build, isNewerBuild, readBuildFile } from "./build.ts";

/** What can be started, and which build that is. */
export interface Runnable {
  daemonScript: string;
  build: Build;
}

/** The plugin's folder in our home, by a name that stays: hooks, servers and status lines are registered by it. */
export function locateStaged(app: string): string {
  return join(app, "current", "plugin");
}

export function readStaged(app: string): Build | undefined {
  return readPluginBuild(locateStaged(app));
}

export function readPluginBuild(plugin: string): Build | undefined {
  return readBuildFile(join(plugin, "dist", "build.json"));
}

/** Where the plugin's folder of the package or checkout is noted that the copy in our home was made from. */
export function locateSourceNote(app: string): string {
  return join(app, "current", "source");
}

export function readSource(app: string): string | undefined {
  try {
    return readFileSync(locateSourceNote(app), "utf8").trim() || undefined;
  } catch {
    return undefined; // Nothing is staged, or by a version that did not note it.
  }
}

/**
 * The copy in our home, unless we are newer: the folder we ourselves were started from may be replaced or removed while the
 * daemon still loads parts of itself from it.
 */
export function chooseDaemon(app: string, own: Runnable): Runnable {
  const installed = readInstalled(app);
  return !installed || isNewerBuild(own.build, installed.build) ? own : installed;
}

export function readInstalled(app: string): Runnable | undefined {
  const build = readStaged(app);
  return build && { daemonScript: join(locateStaged(app), "dist", "daemon.js"), build };
}
