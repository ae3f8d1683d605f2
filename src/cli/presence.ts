import { callEndpoint } from "../client/request.ts";
import { reachEndpoints } from "../protocol/endpoints/reach.ts";
import type { PresenceView } from "../protocol/reach.ts";
import type { CliContext } from "./command.ts";

export async function setPresence(context: CliContext, state: "here" | "away" | "auto"): Promise<number> {
  const view = await callEndpoint(context.address, reachEndpoints.setPresence, { body: { state } });
  context.print(context.isJson ? JSON.stringify(view, null, 2) : `${describePresence(view)}.`);
  return 0;
}

export function describePresence({ isHere, reason, isQuiet }: PresenceView): string {
  return `You are ${isHere ? "here" : "away"}: ${reason}${isQuiet ? "; quiet hours" : ""}`;
}
