import { randomBytes, randomUUID } from "node:crypto";

type Fields = Record<string, unknown>;

const bash = { tool_name: "Bash", tool_input: { command: "npm test", description: "Run the tests" } };

/** The fields of each event besides the common ones, as Claude Code sends them in an ordinary session. */
const fieldsOf: Record<string, () => Fields> = {
  SessionStart: () => ({ source: "startup", model: "claude-opus-5-5" }),
  UserPromptSubmit: () => ({ prompt: "Why does the second test fail? Please fix it and tell me the cause." }),
  PreToolUse: () => ({ ...bash, tool_use_id: makeToolUseId() }),
  PermissionRequest: () => ({
    ...bash,
    permission_suggestions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
  }),
  PostToolUse: () => ({
    ...bash,
    tool_response: { stdout: "41 passed, 1 failed", stderr: "", interrupted: false, isImage: false },
    tool_use_id: makeToolUseId(),
    duration_ms: 198,
  }),
  PostToolUseFailure: () => ({
    ...bash,
    tool_use_id: makeToolUseId(),
    error: "Command failed with exit code 1",
    is_interrupt: false,
    duration_ms: 7005,
  }),
  Notification: () => ({ message: "Claude is waiting for your input", notification_type: "idle_prompt" }),
  SubagentStart: () => ({ agent_id: "a61c79442588b6073", agent_type: "general-purpose" }),
  SubagentStop: () => ({
    agent_id: "a61c79442588b6073",
    agent_type: "general-purpose",
    stop_hook_active: false,
    last_assistant_message: "The fixture is shared between two tests.",
  }),
  PreCompact: () => ({ trigger: "manual", custom_instructions: "keep it short" }),
  PostCompact: () => ({
    trigger: "manual",
    compact_summary: "A failing test was found and its fixture fixed.",
  }),
  Stop: () => ({
    stop_hook_active: false,
    last_assistant_message: "Fixed: the fixture is now made per test.",
  }),
  StopFailure: () => ({ error: "unknown", last_assistant_message: "API Error: 529 overloaded" }),
  SessionEnd: () => ({ reason: "other" }),
};

/** Unique ids: a repeated tool use would be recognised and not stored again. */
export function makePayload(event: string, sessionId: string, cwd: string, more: Fields = {}): string {
  const fields = fieldsOf[event];
  if (!fields) throw new Error(`hooks.json has ${event}, and the bench has no payload for it`);
  return JSON.stringify({
    session_id: sessionId,
    transcript_path: `${cwd}/.claude/projects/bench/${sessionId}.jsonl`,
    cwd,
    prompt_id: `prompt-of-${sessionId}`,
    permission_mode: "default",
    effort: { level: "medium" },
    hook_event_name: event,
    ...fields(),
    ...more,
  });
}

/** A tool result of about this many bytes in total. */
export function makeToolResult(bytes: number, sessionId: string, cwd: string): string {
  const line = "src/daemon/ingest.ts:42:  const group = queue.splice(0, groupSize);\n";
  const stdout = line.repeat(Math.ceil(bytes / line.length));
  const overhead = makePayload("PostToolUse", sessionId, cwd).length;
  const tool_response = { stdout: stdout.slice(0, bytes - overhead), stderr: "", interrupted: false };
  return makePayload("PostToolUse", sessionId, cwd, { tool_response });
}

export function makeSessionId(): string {
  return randomUUID();
}

function makeToolUseId(): string {
  return `toolu_${randomBytes(12).toString("hex")}`;
}
