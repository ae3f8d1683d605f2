import type { AgentEvent, EventPayload } from "../protocol/agent-events.ts";
import type { HostEvents } from "./host.ts";
import { getOwn } from "../shared/json.ts";

type Names = Readonly<Record<string, AgentEvent>>;

interface EventTable {
  /** The host's name of each event. */
  names: Names;
  /** Renames the host's fields to those of `EventPayload`. */
  normalise?: HostEvents["normalise"];
  /** A more precise event, or the same one. */
  narrow?(event: AgentEvent, payload: EventPayload): AgentEvent;
}

export function makeEvents({ names, normalise, narrow }: EventTable): HostEvents {
  const ownNames = new Map(Object.entries(names).map(([name, event]) => [event, name]));
  return {
    names,
    normalise: normalise ?? ((payload) => payload),
    read(name, payload) {
      const event = getOwn(names, name);
      return event && payload && narrow ? narrow(event, payload) : event;
    },
    nameOf: (event) => ownNames.get(event),
  };
}

/** A `normalise` that gives fields our names; other fields keep theirs. */
export function renameFields(names: Readonly<Record<string, string>>): HostEvents["normalise"] {
  return (payload) =>
    Object.fromEntries(Object.entries(payload).map(([name, value]) => [getOwn(names, name) ?? name, value]));
}

/** Names that most hosts pass to our hook. */
export const commonNames = {
  SessionStart: "session.started",
  UserPromptSubmit: "prompt",
  PreToolUse: "tool.before",
  PostToolUse: "tool.after",
  SubagentStart: "subagent.started",
  SubagentStop: "subagent.ended",
  PreCompact: "compact.before",
  Stop: "turn.ended",
  SessionEnd: "session.ended",
} as const satisfies Names;

const notifications: Names = {
  idle_prompt: "session.idle",
  permission_prompt: "input.needed",
  elicitation_dialog: "input.needed",
  agent_needs_input: "input.needed",
};

/** The event that a notification reports, by its type. */
export function narrowNotification(event: AgentEvent, { notification_type: type }: EventPayload): AgentEvent {
  if (event !== "notification" || typeof type !== "string") return event;
  return getOwn(notifications, type) ?? event;
}
