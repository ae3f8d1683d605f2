import { readDaemonFile } from "../../client/discover.ts";
import type { StartOutcome } from "../../client/start.ts";
import type { CliContext, Command } from "../command.ts";
import { startDaemon } from "../start-daemon.ts";

const sentences: Record<StartOutcome, string> = {
  running: "The daemon is already running.",
  started: "Daemon started.",
  replaced: "An older daemon was replaced.",
};

export const start: Command = {
  summary: "Start the daemon, or replace an older one.",
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

export function reportStart(context: CliContext, outcome: StartOutcome): number {
  const running = readDaemonFile(context.home.daemonFile);
  const url = `http://127.0.0.1:${running?.port ?? 0}/`;
  if (context.isJson)
    context.print(JSON.stringify({ outcome, pid: running?.pid, url, version: running?.version }));
  else context.print(`${sentences[outcome]} ${url}`);
  return 0;
}
