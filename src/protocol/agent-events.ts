import * as z from "zod";

/** Events of a coding agent, by our names. `hosts/` maps each host's own names to them. */
export const agentEvents = [
  "session.started",
  "prompt",
  "tool.before",
  "tool.after",
  "tool.failed",
  "permission",
  "permission.denied",
  /** The session has opened or closed a dialog that is neither a permission nor a tool call. */
  "dialog.opened",
  "dialog.closed",
  /** The host notifies the person: the session waits for input, has been idle for a while, or anything else. */
  "input.needed",
  "session.idle",
  "notification",
  "subagent.started",
  "subagent.ended",
  "compact.before",
  "compact.after",
  "turn.ended",
  "turn.failed",
  /** The person stopped the turn; some hosts do not report it. */
  "turn.interrupted",
  "session.ended",
  "other",
] as const;

export type AgentEvent = (typeof agentEvents)[number];

/** The category of a tool. `housekeeping` is the host's or our own bookkeeping: memory skips it. */
export const toolKinds = [
  "read",
  "edit",
  "run",
  "ask",
  "plan",
  "delegate",
  "search",
  "web",
  "housekeeping",
  "other",
] as const;

export type ToolKind = (typeof toolKinds)[number];

/**
 * The payload of an event, in the field names that we store. Loose on purpose: hosts add fields, and an unknown field is
 * stored, never refused.
 */
export const eventPayload = z.looseObject({
  session_id: z.string().min(1).max(200),
  cwd: z.string().max(8192).optional(),
  transcript_path: z.string().max(8192).optional(),
  prompt_id: z.string().max(200).optional(),
  tool_name: z.string().max(500).optional(),
  tool_use_id: z.string().max(200).optional(),
  agent_id: z.string().max(200).optional(),
  agent_type: z.string().max(200).optional(),
  source: z.string().max(100).optional(),
  reason: z.string().max(100).optional(),
  model: z.string().max(200).optional(),
  prompt: z.string().optional(),
  last_assistant_message: z.string().optional(),
});

export type EventPayload = z.infer<typeof eventPayload>;
