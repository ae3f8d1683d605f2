import type { AgentEvent } from "../../protocol/agent-events.ts";
import { commonNames, makeEvents, narrowNotification } from "../make-events.ts";

/** Every event that `hooks.json` registers, and those that later versions may send. */
const names: Readonly<Record<string, AgentEvent>> = {
  ...commonNames,
  PermissionRequest: "permission",
  PermissionDenied: "permission.denied",
  PostToolUseFailure: "tool.failed",
  Notification: "notification",
  PostCompact: "compact.after",
  StopFailure: "turn.failed",
  Elicitation: "dialog.opened",
  ElicitationResult: "dialog.closed",
  Setup: "other",
  PostToolBatch: "other",
  ConfigChange: "other",
};

export const events = makeEvents({ names, narrow: narrowNotification });
