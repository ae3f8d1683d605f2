import { makeHookReplies } from "../hook-json.ts";
import { decide } from "./decide.ts";
import { events } from "./events.ts";

export const replies = makeHookReplies({
  events,
  /** Claude Code cuts injected context at 10,000 characters. */
  contextLimit: 9_800,
  contextEvents: ["session.started", "prompt", "tool.after", "tool.before"],
  decide,
  formatExports: ({ sessionId, agent }) =>
    `export CLAUDE_SESSION_ID=${shellQuote(sessionId)}\nexport ROOKERY_AGENT=${shellQuote(agent)}\n`,
});

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
