import type { AgentEvent } from "../../protocol/agent-events.ts";
import { findKey, makeEvents } from "../make-events.ts";

/** Every event that `hooks.json` registers, and those that later versions may send. */
const names: Readonly<Record<string, AgentEvent>> = {
  SessionStart: "session.started",
  UserPromptSubmit: "prompt",
  PreToolUse: "tool.before",
  PermissionRequest: "permission",
  PermissionDenied: "permission.denied",
  PostToolUse: "tool.after",
  PostToolUseFailure: "tool.failed",
  Notification: "notification",
  SubagentStart: "subagent.started",
  SubagentStop: "subagent.ended",
  PreCompact: "compact.before",
  PostCompact: "compact.after",
  Stop: "turn.ended",
  StopFailure: "turn.failed",
  SessionEnd: "session.ended",
  Elicitation: "dialog.opened",
  ElicitationResult: "dialog.closed",
  Setup: "other",
  PostToolBatch: "other",
  ConfigChange: "other",
};

const notifications: Readonly<Record<string, AgentEvent>> = {
  idle_prompt: "session.idle",
  permission_prompt: "input.needed",
  elicitation_dialog: "input.needed",
  agent_needs_input: "input.needed",
};

export const events = makeEvents({
  names,
  narrow(event, { notification_type: type }) {
    if (event !== "notification" || typeof type !== "string") return event;
    return findKey(notifications, type) ?? event;
  },
});
