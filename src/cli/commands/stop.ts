import { existsSync, writeFileSync } from "node:fs";
import { stopDaemon } from "../../client/start.ts";
import type { Command } from "../command.ts";

export const stop: Command = {
  summary: "Stop the daemon. Events wait in the spool until it runs again.",
  usage: "",
  examples: ["rookery stop"],
  async run(context) {
    // Supervisors check for this file. Without a run folder there are none.
    if (existsSync(context.home.run)) writeFileSync(context.home.stoppedByUser, "", { mode: 0o600 });
    const wasRunning = await stopDaemon(context.startOptions, "stop");
    if (context.isJson) context.print(JSON.stringify({ stopped: wasRunning }));
    else
      context.print(
        wasRunning ? "The daemon is stopped. The next session starts it again." : "No daemon was running.",
      );
    return 0;
  },
};
