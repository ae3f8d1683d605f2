import { stopDaemon } from "../../client/start.ts";
import type { Command } from "../command.ts";
import { reportStart, startDaemon } from "./start.ts";

export const restart: Command = {
  summary: "Stop the daemon and start it again.",
  usage: "",
  examples: ["rookery restart"],
  async run(context) {
    await stopDaemon(context.startOptions, "restart");
    return reportStart(context, await startDaemon(context));
  },
};
