import { spawn } from "node:child_process";
import { join } from "node:path";
import { makeDaemonEnvironment } from "../../config/environment.ts";
import { type Build, build, isNewerBuild } from "../../shared/build.ts";
import { locateStaged, readPluginBuild, readSource, readStagedBuild } from "../../shared/staged.ts";
import type { DaemonContext } from "./context.ts";
import { runLogged } from "./repeat.ts";

interface Upgrader {
  start(): void;
  stop(): void;
}

/** A session begins with a burst of hooks that need answers. */
const settleMs = 3_000;

/**
 * After a newer package was installed, the next session should run it. So the two small files that identify the builds
 * are read after every session start. The newer build's own `start` installs it and asks this daemon to hand over.
 */
export function openUpgrader({ home, config, environment, bus, log }: DaemonContext): Upgrader {
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe = (): void => {};

  function startNewer(): void {
    timer = undefined;
    const plugin = findNewerBuild(home.app, build);
    if (plugin === undefined) return;
    log.info("a newer build is installed", { plugin, ...readPluginBuild(plugin) });
    const script = join(plugin, "dist", "cli.js");
    // The child is meant to outlive this daemon. An incomplete installation fails and is retried with the next session.
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, "start"], {
      env: makeDaemonEnvironment(environment),
      detached: true,
      windowsHide: true,
      stdio: "ignore",
    });
    child.on("error", (error) => log.warn("not upgraded", { plugin, error }));
    child.on("exit", (code) => code !== 0 && log.warn("not upgraded", { plugin, code }));
    child.unref();
  }

  return {
    start() {
      if (!config.upgrade.automatic) return;
      unsubscribe = bus.subscribe(({ event }) => {
        if (event.type === "session.started")
          timer ??= setTimeout(() => runLogged(startNewer, log), settleMs).unref();
      });
    },
    stop() {
      unsubscribe();
      clearTimeout(timer);
    },
  };
}

/** The plugin folder of a build that should replace this one: the staged build or a newer one at its source. */
export function findNewerBuild(app: string, running: Build): string | undefined {
  const staged = readStagedBuild(app);
  if (!staged) return undefined; // Not staged in this home: there is nothing to compare.
  const source = readSource(app);
  const installed = source === undefined ? undefined : readPluginBuild(source);
  if (installed && isNewerBuild(installed, staged)) return source;
  return isNewerBuild(staged, running) ? locateStaged(app) : undefined;
}
