/** Tools that ask the human something in the terminal and go on only with an answer. */
const asking = new Set(["AskUserQuestion", "ExitPlanMode"]);
const needsAnswer = new Set(["permission_prompt", "elicitation_dialog", "agent_needs_input"]);

export interface NewestEvent {
  event: string;
  tool: string | null;
  notification: string | null;
}

/** What a session does, judged by the newest thing that was heard of it. */
export function judgeState(hasOpenTurn: boolean, newest: NewestEvent): "working" | "idle" | "waiting" {
  const { event, tool, notification } = newest;
  const isWaiting =
    event === "PermissionRequest" ||
    event === "Elicitation" ||
    (event === "PreToolUse" && asking.has(tool ?? "")) ||
    (event === "Notification" && needsAnswer.has(notification ?? ""));
  if (isWaiting) return "waiting";
  return hasOpenTurn ? "working" : "idle";
}
