import type { AgentEvent } from "../../protocol/agent-events.ts";
import { asFields, asText, type Fields } from "../fields.ts";
import { findKey, makeEvents } from "../make-events.ts";

/**
 * The names that our hook file passes on; `install.ts` has Copilot's own. Its permission hook fires for every call, also
 * for those that need no permission, so it is not used.
 */
const names: Readonly<Record<string, AgentEvent>> = {
  SessionStart: "session.started",
  UserPromptSubmit: "prompt",
  PreToolUse: "tool.before",
  PostToolUse: "tool.after",
  PostToolUseFailure: "tool.failed",
  Notification: "notification",
  SubagentStart: "subagent.started",
  SubagentStop: "subagent.ended",
  PreCompact: "compact.before",
  Stop: "turn.ended",
  ErrorOccurred: "other",
  SessionEnd: "session.ended",
};

const notifications: Readonly<Record<string, AgentEvent>> = {
  permission_prompt: "input.needed",
  elicitation_dialog: "input.needed",
  idle_prompt: "session.idle",
};

const fieldNames: Readonly<Record<string, string>> = {
  sessionId: "session_id",
  transcriptPath: "transcript_path",
  toolName: "tool_name",
  toolArgs: "tool_input",
  toolInput: "tool_input",
  toolResult: "tool_response",
  agentName: "agent_type",
};

/** The last line of a shell tool's output. */
const failedCommand = /<shellId: \S+ completed with exit code [1-9]\d*>\s*$/;

export const events = makeEvents({
  names,
  normalise: (payload: Fields) =>
    Object.fromEntries(
      Object.entries(payload).map(([name, value]) => [findKey(fieldNames, name) ?? name, value]),
    ),
  narrow(event, { notification_type: type, tool_response: response }) {
    const output = asText(asFields(response)?.["textResultForLlm"]);
    if (event === "tool.after" && output !== undefined && failedCommand.test(output)) return "tool.failed";
    if (event !== "notification" || typeof type !== "string") return event;
    return findKey(notifications, type) ?? event;
  },
});
