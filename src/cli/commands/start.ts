import { rmSync } from "node:fs";
import { readDaemonFile } from "../../client/discover.ts";
import { readInstalled, readStaged } from "../../shared/staged.ts";
import { ensureDaemon, type StartOutcome } from "../../client/start.ts";
import { prepareHome } from "../../config/home.ts";
import { isNewerBuild } from "../../shared/build.ts";
import type { CliContext, Command } from "../command.ts";

const sentences: Record<StartOutcome, string> = {
  running: "The daemon is running.",
  started: "The daemon is started.",
  replaced: "An older daemon was replaced.",
};

export const start: Command = {
  summary: "Start the daemon if none runs, or replace an older one.",
  usage: "",
  examples: ["rookery start"],
  options: { "from-hook": { type: "boolean" } },
  optionHelp: { "from-hook": "return quickly, because a session is waiting" },
  async run(context, { flags }) {
    // A wedged daemon holds the lock: waiting for it would only slow the session.
    const outcome = await startDaemon(context, flags["from-hook"] ? 3_000 : undefined);
    return flags["from-hook"] ? 0 : reportStart(context, outcome);
  },
};

/** Starts the installed build if no daemon answers. Upgrades nothing: most commands only want to talk to the daemon. */
export async function startInstalled(context: CliContext): Promise<void> {
  const { home, startOptions } = context;
  prepareHome(home);
  rmSync(home.stopped, { force: true });
  await ensureDaemon({ ...startOptions, ...readInstalled(home.app) });
}

/** Notifies the user if this command is newer than the installation. */
export function noteOlderInstallation(context: CliContext): void {
  const { home, isJson, note, startOptions } = context;
  if (isJson || !isNewest(context)) return;
  const installed = readStaged(home.app)?.version;
  note(
    `Rookery ${installed} is installed; this command is ${startOptions.build.version}. Upgrade: rookery up`,
  );
}

/** Starts the newest build, installs it if sessions run an older one, and replaces an older daemon. */
export async function startDaemon(context: CliContext, timeoutMs?: number): Promise<StartOutcome> {
  prepareHome(context.home);
  rmSync(context.home.stopped, { force: true });
  const ensure = (): Promise<StartOutcome> =>
    ensureDaemon({ ...context.startOptions, ...(timeoutMs ? { timeoutMs } : {}) });
  return isNewest(context) ? (await import("../upgrade.ts")).upgrade(context, ensure) : ensure();
}

/** Whether sessions run an older build than this one. */
function isNewest({ home, startOptions: { build } }: CliContext): boolean {
  const staged = readStaged(home.app);
  return staged !== undefined && isNewerBuild(build, staged);
}

export function reportStart(context: CliContext, outcome: StartOutcome): number {
  const running = readDaemonFile(context.home.daemonFile);
  const url = `http://127.0.0.1:${running?.port ?? 0}/`;
  if (context.isJson)
    context.print(JSON.stringify({ outcome, pid: running?.pid, url, version: running?.version }));
  else context.print(`${sentences[outcome]} ${url}`);
  return 0;
}
