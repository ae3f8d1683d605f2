import { asFields, asText, parseFields } from "../fields.ts";
import { decideOnce } from "../hook-json.ts";
import type { HostReplies } from "../host.ts";

const contextEvents = new Set(["session.started", "prompt", "tool.before", "tool.after", "tool.failed"]);

/** Copilot reads context and decisions from the top of the reply. */
export const replies: HostReplies = {
  contextLimit: (event) => (contextEvents.has(event) ? 9_800 : 0),
  format(_event, { context, deny, systemMessage }) {
    const output = {
      ...(context ? { additionalContext: context } : {}),
      ...(deny ? { permissionDecision: "deny", permissionDecisionReason: deny } : {}),
      ...(systemMessage ? { systemMessage } : {}),
    };
    return Object.keys(output).length === 0 ? "" : JSON.stringify(output);
  },
  formatDecision(question, answer) {
    const decision = decideOnce(question, answer);
    return decision && JSON.stringify(decision);
  },
  formatExports: () => "",
  read(stdout) {
    const output = parseFields(stdout) ?? {};
    return {
      context: asText(output["additionalContext"]),
      deny: asText(output["permissionDecisionReason"]) ?? asText(output["message"]),
      systemMessage: asText(output["systemMessage"]),
      isAllowed: output["behavior"] === "allow",
      answers: asFields(output["answers"]) ?? {},
    };
  },
};
