import type { AgentEvent } from "../../protocol/agent-events.ts";
import { asText, type Fields } from "../fields.ts";
import { commonNames, makeEvents, narrowNotification } from "../make-events.ts";

const names: Readonly<Record<string, AgentEvent>> = {
  ...commonNames,
  PermissionRequest: "permission",
  PostToolUseFailure: "tool.failed",
  Notification: "notification",
  StopFailure: "turn.failed",
};

export const events = makeEvents({
  names,
  // The transcript identifies a call by the model's id. Hooks report that id too, beside one of their own.
  normalise(payload: Fields) {
    const callId = asText(payload["tool_call_id"]);
    return callId === undefined ? payload : { ...payload, tool_use_id: callId };
  },
  narrow(event, payload) {
    // Qwen Code reports an empty prompt before every further request to the model.
    return event === "prompt" && payload.prompt === "" ? "other" : narrowNotification(event, payload);
  },
});
