import type { AgentEvent, EventPayload } from "../../protocol/agent-events.ts";
import type { HostEvents } from "../host.ts";

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

const ownNames = new Map(Object.entries(names).map(([name, event]) => [event, name]));

export const events: HostEvents = {
  names,
  normalise: (payload) => payload,
  read(name, payload) {
    const event = findKey(names, name);
    if (event !== "notification") return event;
    return findKey(notifications, notificationType(payload)) ?? event;
  },
  nameOf: (event) => ownNames.get(event),
};

function findKey(table: Readonly<Record<string, AgentEvent>>, key: string): AgentEvent | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function notificationType(payload: EventPayload | undefined): string {
  const type = payload?.notification_type;
  return typeof type === "string" ? type : "";
}
