import type { AgentEvent } from "../../protocol/agent-events.ts";
import { parseJson } from "../../shared/json.ts";
import type { HostReplies, ReplyParts } from "../host.ts";
import { decide } from "./decide.ts";
import { events } from "./events.ts";
import { asFields, asText } from "./transcript/fields.ts";

/** Claude Code cuts injected context at 10,000 characters. */
const contextLimit = 9_800;
const contextEvents = new Set<AgentEvent>(["session.started", "prompt", "tool.after", "tool.before"]);

export const replies: HostReplies = {
  contextLimit: (event) => (contextEvents.has(event) ? contextLimit : 0),
  format(event, { context, deny, systemMessage }) {
    const output: Record<string, unknown> = {};
    if (systemMessage) output.systemMessage = systemMessage;
    if (context || deny)
      output.hookSpecificOutput = {
        hookEventName: events.nameOf(event),
        ...(context ? { additionalContext: context } : {}),
        ...(deny ? { permissionDecision: "deny", permissionDecisionReason: deny } : {}),
      };
    return Object.keys(output).length === 0 ? "" : JSON.stringify(output);
  },
  formatDecision(question, answer) {
    const decision = decide(question, answer);
    const hookEventName = events.nameOf("permission");
    return decision && JSON.stringify({ hookSpecificOutput: { hookEventName, decision } });
  },
  formatExports: ({ sessionId, agent }) =>
    `export CLAUDE_SESSION_ID=${shellQuote(sessionId)}\nexport ROOKERY_AGENT=${shellQuote(agent)}\n`,
  read(stdout) {
    const output = stdout === "" ? {} : (asFields(parseJson(stdout)) ?? {});
    const specific = asFields(output["hookSpecificOutput"]) ?? {};
    const decision = asFields(specific["decision"]);
    const parts: ReplyParts = {
      context: asText(specific["additionalContext"]),
      deny: asText(specific["permissionDecisionReason"]) ?? asText(decision?.["message"]),
      systemMessage: asText(output["systemMessage"]),
    };
    const answers = asFields(asFields(decision?.["updatedInput"])?.["answers"]);
    return { ...parts, isAllowed: decision?.["behavior"] === "allow", answers: answers ?? {} };
  },
};

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
