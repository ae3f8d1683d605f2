import { decideOnce, makeHookReplies } from "../hook-json.ts";
import type { HostReplies } from "../host.ts";
import { events } from "./events.ts";

const common = makeHookReplies({
  events,
  contextLimit: 9_800,
  contextEvents: ["session.started", "prompt", "tool.after"],
  decide: decideOnce,
});

/** A denial is at the top of the reply. */
export const replies: HostReplies = {
  ...common,
  format(event, { deny, ...parts }) {
    if (!deny) return common.format(event, parts);
    const { systemMessage } = parts;
    return JSON.stringify({ decision: "deny", reason: deny, ...(systemMessage ? { systemMessage } : {}) });
  },
};
