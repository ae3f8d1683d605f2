import { decideOnce, makeHookReplies } from "../hook-json.ts";
import { events } from "./events.ts";

/** Codex discards a reply with an unknown field. Context reaches the model as a developer message. */
export const replies = makeHookReplies({
  events,
  /** Codex moves more than 2,500 tokens (it counts four bytes each) to a file, unless the hook says otherwise. */
  contextLimit: 9_800,
  contextEvents: ["session.started", "prompt", "tool.after", "tool.before"],
  decide: decideOnce,
});
