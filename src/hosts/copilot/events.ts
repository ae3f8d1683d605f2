import type { AgentEvent } from "../../protocol/agent-events.ts";
import { asFields, asText } from "../fields.ts";
import { commonNames, makeEvents, narrowNotification, renameFields } from "../make-events.ts";

/**
 * The names that our hook file and our extension pass on; `install.ts` has Copilot's own. Its permission hook fires for
 * every call, also for those that need no permission, so the extension reports the requests.
 */
const names: Readonly<Record<string, AgentEvent>> = {
  ...commonNames,
  PermissionRequest: "permission",
  PostToolUseFailure: "tool.failed",
  Notification: "notification",
  ErrorOccurred: "other",
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
  normalise: renameFields(fieldNames),
  narrow(event, payload) {
    const output = asText(asFields(payload.tool_response)?.["textResultForLlm"]);
    if (event === "tool.after" && output !== undefined && failedCommand.test(output)) return "tool.failed";
    return narrowNotification(event, payload);
  },
});
