import type { AgentEvent } from "../../protocol/agent-events.ts";
import { asFields } from "../fields.ts";
import { commonNames, makeEvents, renameFields } from "../make-events.ts";

/** The names that our plugin passes on (`plugin/plugin.ts`); OpenCode's own differ for hooks and events. */
const names: Readonly<Record<string, AgentEvent>> = {
  ...commonNames,
  PermissionRequest: "permission",
  PostToolUseFailure: "tool.failed",
  PostCompact: "compact.after",
  StopFailure: "turn.failed",
  Interrupt: "turn.interrupted",
};

const fieldNames: Readonly<Record<string, string>> = {
  sessionID: "session_id",
  subagentID: "agent_id",
  subagentType: "agent_type",
  directory: "cwd",
  messageID: "prompt_id",
  tool: "tool_name",
  callID: "tool_use_id",
  args: "tool_input",
  result: "tool_response",
  lastText: "last_assistant_message",
};

export const events = makeEvents({
  names,
  normalise: renameFields(fieldNames),
  narrow(event, payload) {
    // The agent writes the prompt of its subagent.
    if (event === "prompt" && payload.agent_id !== undefined) return "other";
    const exit = asFields(asFields(payload.tool_response)?.["metadata"])?.["exit"];
    return event === "tool.after" && typeof exit === "number" && exit !== 0 ? "tool.failed" : event;
  },
});
