import { rmSync } from "node:fs";
import { ensureDaemon, type StartOutcome, stopDaemon } from "../client/start.ts";
import { prepareHome } from "../config/home.ts";
import { isNewerBuild } from "../shared/build.ts";
import { readInstalledDaemon, readStagedBuild } from "../shared/staged.ts";
import type { CliContext } from "./command.ts";

/** Starts the installed build if no daemon answers. Upgrades nothing: most commands only want to talk to the daemon. */
export async function startInstalledDaemon(context: CliContext): Promise<void> {
  const { home, startOptions } = context;
  prepareHome(home);
  rmSync(home.stoppedByUser, { force: true });
  await ensureDaemon({ ...startOptions, ...readInstalledDaemon(home.app) });
}

/** Notifies the user if this command is newer than the installation. */
export function warnIfOutdated(context: CliContext): void {
  const { home, isJson, printNote, startOptions } = context;
  if (isJson || !isNewerThanInstalled(context)) return;
  const installed = readStagedBuild(home.app)?.version;
  const { version } = startOptions.build;
  const what =
    installed === version
      ? `An older build of Rookery ${version} is installed.`
      : `Rookery ${installed} is installed; this command is ${version}.`;
  printNote(`${what} Upgrade: rookery up`);
}

/** Starts the newest build, installs it if sessions run an older one, and replaces an older daemon. */
export async function startDaemon(context: CliContext, timeoutMs?: number): Promise<StartOutcome> {
  prepareHome(context.home);
  rmSync(context.home.stoppedByUser, { force: true });
  const ensure = (): Promise<StartOutcome> =>
    ensureDaemon({ ...context.startOptions, ...(timeoutMs ? { timeoutMs } : {}) });
  return isNewerThanInstalled(context) ? (await import("./upgrade.ts")).upgrade(context, ensure) : ensure();
}

export async function restartDaemon(context: CliContext): Promise<StartOutcome> {
  await stopDaemon(context.startOptions, "restart");
  return startDaemon(context);
}

/** Whether sessions run an older build than this one. */
function isNewerThanInstalled({ home, startOptions: { build } }: CliContext): boolean {
  const staged = readStagedBuild(home.app);
  return staged !== undefined && isNewerBuild(build, staged);
}
