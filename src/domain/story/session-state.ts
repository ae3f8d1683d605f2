import type { AgentEvent, ToolKind } from "../../protocol/agent-events.ts";

interface SessionFacts {
  hasOpenTurn: boolean;
  /** A question of its agent is waiting for the person. */
  hasOpenQuestion: boolean;
  newest: { event: AgentEvent; toolKind: ToolKind | null } | undefined;
}

/** The current activity of a session, by its newest event. Any event after a dialog means that the dialog is closed. */
export function judgeState({
  hasOpenTurn,
  hasOpenQuestion,
  newest,
}: SessionFacts): "working" | "idle" | "waiting" {
  if (hasOpenQuestion || (newest && isDialog(newest))) return "waiting";
  return hasOpenTurn ? "working" : "idle";
}

function isDialog({ event, toolKind }: NonNullable<SessionFacts["newest"]>): boolean {
  const isDialogTool = toolKind === "ask" || toolKind === "plan";
  return (
    event === "permission" ||
    event === "dialog.opened" ||
    event === "input.needed" ||
    (event === "tool.before" && isDialogTool)
  );
}
