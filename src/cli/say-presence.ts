import { callDaemon } from "../client/request.ts";
import type { PresenceView } from "../protocol/reach.ts";
import type { CliContext } from "./command.ts";

export async function sayPresence(context: CliContext, state: "here" | "away" | "auto"): Promise<number> {
  const body = { state };
  const view = await callDaemon<PresenceView>(context.address, {
    method: "POST",
    path: "/api/presence",
    body,
  });
  context.print(context.isJson ? JSON.stringify(view, null, 2) : `${describePresence(view)}.`);
  return 0;
}

export function describePresence({ isHere, reason, isQuiet }: PresenceView): string {
  return `You are ${isHere ? "here" : "away"}: ${reason}${isQuiet ? "; quiet hours" : ""}`;
}
