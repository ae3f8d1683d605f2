import { type StartOutcome, stopDaemon } from "../../client/start.ts";
import type { CliContext, Command } from "../command.ts";
import { reportStart, startDaemon } from "./start.ts";

export const restart: Command = {
  summary: "Stop the daemon and start it again.",
  usage: "",
  examples: ["rookery restart"],
  async run(context) {
    return reportStart(context, await restartDaemon(context));
  },
};

export async function restartDaemon(context: CliContext): Promise<StartOutcome> {
  await stopDaemon(context.startOptions, "restart");
  return startDaemon(context);
}
