import type { Command } from "../command.ts";
import { restartDaemon } from "../start-daemon.ts";
import { reportStart } from "./start.ts";

export const restart: Command = {
  summary: "Stop the daemon and start it again.",
  usage: "",
  examples: ["rookery restart"],
  async run(context) {
    return reportStart(context, await restartDaemon(context));
  },
};
