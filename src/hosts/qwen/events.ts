import type { AgentEvent } from "../../protocol/agent-events.ts";
import { asText, type Fields } from "../fields.ts";
import { findKey, makeEvents } from "../make-events.ts";

const names: Readonly<Record<string, AgentEvent>> = {
  SessionStart: "session.started",
  UserPromptSubmit: "prompt",
  PreToolUse: "tool.before",
  PermissionRequest: "permission",
  PostToolUse: "tool.after",
  PostToolUseFailure: "tool.failed",
  Notification: "notification",
  SubagentStart: "subagent.started",
  SubagentStop: "subagent.ended",
  PreCompact: "compact.before",
  Stop: "turn.ended",
  StopFailure: "turn.failed",
  SessionEnd: "session.ended",
};

const notifications: Readonly<Record<string, AgentEvent>> = {
  idle_prompt: "session.idle",
  permission_prompt: "input.needed",
  elicitation_dialog: "input.needed",
};

export const events = makeEvents({
  names,
  // The transcript names a call by the model's id, which hooks report beside one of their own.
  normalise(payload: Fields) {
    const callId = asText(payload["tool_call_id"]);
    return callId === undefined ? payload : { ...payload, tool_use_id: callId };
  },
  narrow(event, { prompt, notification_type: type }) {
    // Qwen Code reports an empty prompt before every further request to the model.
    if (event === "prompt" && prompt === "") return "other";
    if (event !== "notification" || typeof type !== "string") return event;
    return findKey(notifications, type) ?? event;
  },
});
