import { callOverTcp } from "../client/call-over-tcp.ts";
import { reachEndpoints } from "../protocol/endpoints/reach.ts";
import { describeNewPresence } from "../protocol/reach.ts";
import type { CliContext } from "./command.ts";

export async function setPresence(context: CliContext, state: "here" | "away" | "auto"): Promise<number> {
  const view = await callOverTcp(context.home, reachEndpoints.setPresence, { body: { state } });
  context.print(context.isJson ? JSON.stringify(view, null, 2) : describeNewPresence(view));
  return 0;
}
