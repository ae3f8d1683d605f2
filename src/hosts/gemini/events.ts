import type { AgentEvent } from "../../protocol/agent-events.ts";
import { asFields, asText, type Fields } from "../fields.ts";
import { makeEvents } from "../make-events.ts";
import { dropContextBefore } from "./hook-context.ts";
import { readOutput } from "./tools.ts";

/** PreCompress is left out: it fires before every request to the model, not only before a compaction. */
const names: Readonly<Record<string, AgentEvent>> = {
  SessionStart: "session.started",
  BeforeAgent: "prompt",
  BeforeTool: "tool.before",
  AfterTool: "tool.after",
  Notification: "notification",
  AfterAgent: "turn.ended",
  SessionEnd: "session.ended",
};

export const events = makeEvents({
  names,
  normalise({ prompt_response: response, ...payload }: Fields) {
    const prompt = asText(payload["prompt"]);
    return {
      ...payload,
      ...(prompt === undefined ? {} : { prompt: dropContextBefore(prompt) }),
      ...(response === undefined ? {} : { last_assistant_message: response }),
    };
  },
  narrow(event, { tool_response: response, notification_type: type }) {
    if (event === "notification") return type === "ToolPermission" ? "input.needed" : event;
    if (event !== "tool.after") return event;
    const isFailed = asFields(response)?.["error"] !== undefined || readOutput(response).isFailed;
    return isFailed ? "tool.failed" : event;
  },
});
