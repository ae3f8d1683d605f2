import { join } from "node:path";
import { type Build, isNewerBuild, readBuildFile } from "../shared/build.ts";

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
  return readBuildFile(join(locateStaged(app), "dist", "build.json"));
}

/**
 * The copy in our home, unless we are newer: the folder we ourselves were started from may be replaced or removed while the
 * daemon still loads parts of itself from it.
 */
export function chooseDaemon(app: string, own: Runnable): Runnable {
  const build = readStaged(app);
  if (!build || isNewerBuild(own.build, build)) return own;
  return { daemonScript: join(locateStaged(app), "dist", "daemon.js"), build };
}
