import { readDaemonFile } from "../../client/discover.ts";
import { ensureDaemon, type StartOutcome } from "../../client/start.ts";
import { prepareHome } from "../../config/home.ts";
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
  optionHelp: { "from-hook": "be quick: a session is waiting" },
  async run(context, { flags }) {
    if (flags["from-hook"]) {
      prepareHome(context.home);
      // A wedged daemon holds the lock: waiting for it would only slow the session.
      await ensureDaemon({ ...context.startOptions, timeoutMs: 3_000 });
      return 0;
    }
    return reportStart(context, await startDaemon(context));
  },
};

export async function startDaemon(context: CliContext): Promise<StartOutcome> {
  prepareHome(context.home);
  return ensureDaemon(context.startOptions);
}

export function reportStart(context: CliContext, outcome: StartOutcome): number {
  const running = readDaemonFile(context.home.daemonFile);
  const url = `http://127.0.0.1:${running?.port ?? 0}/`;
  if (context.isJson)
    context.print(JSON.stringify({ outcome, pid: running?.pid, url, version: running?.version }));
  else context.print(`${sentences[outcome]} ${url}`);
  return 0;
}
