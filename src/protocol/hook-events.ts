import * as z from "zod";

/** The events our hooks.json registers, plus those that other hosts or later versions may post. */
export const hookEvents = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PostToolUseFailure",
  "Notification",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "Stop",
  "StopFailure",
  "SessionEnd",
  "Setup",
  "PermissionDenied",
  "PostToolBatch",
  "ConfigChange",
  "Elicitation",
  "ElicitationResult",
] as const;

export type HookEvent = (typeof hookEvents)[number];

const known = new Set<string>(hookEvents);

export function isHookEvent(name: string): name is HookEvent {
  return known.has(name);
}

/**
 * What every payload must have and what we read from it. Loose on purpose: the host adds fields,
 * and a field we do not know is stored, never refused.
 */
export const hookPayload = z.looseObject({
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

export type HookPayload = z.infer<typeof hookPayload>;
