import { decideOnce, makeHookReplies } from "../hook-json.ts";
import { events } from "./events.ts";

export const replies = makeHookReplies({
  events,
  contextLimit: 9_800,
  contextEvents: ["session.started", "prompt", "tool.after", "tool.before"],
  decide: decideOnce,
});
