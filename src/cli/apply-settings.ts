import { callDaemon } from "../client/request.ts";
import { stopDaemon } from "../client/start.ts";
import type { CliContext } from "./command.ts";
import { startDaemon } from "./commands/start.ts";

/** Changes settings; null takes one back. They are read at start, so the daemon is started again with them. */
export async function applySettings(context: CliContext, settings: Record<string, unknown>): Promise<void> {
  await startDaemon(context);
  await callDaemon(context.address, { method: "PATCH", path: "/api/config", body: settings });
  await stopDaemon(context.startOptions, "restart");
  await startDaemon(context);
}
