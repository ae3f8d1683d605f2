import type { AgentStatus, AgentView } from "../../protocol/api.ts";
import type { Clock } from "../../shared/clock.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { Store } from "../../store/open-store.ts";
import type { SessionRow } from "../../store/sessions.ts";
import type { Questions } from "./questions.ts";
import { isLive } from "../identity/seats.ts";
import { parseJson } from "../../shared/json.ts";
import { clip } from "../../shared/text.ts";

/** Who is where, doing what. */
export interface AgentViews {
  of(agent: AgentRow): AgentView;
  all(): AgentView[];
}

/** A dialog in the terminal that nobody has answered yet: the next event of the session takes it back. */
const dialogs = new Set(["permission_prompt", "elicitation_dialog", "agent_needs_input"]);

export function makeAgentViews(store: Store, questions: Pick<Questions, "open">, clock: Clock): AgentViews {
  function statusOf({ name }: AgentRow, session: SessionRow): AgentStatus {
    if (questions.open().some((question) => question.agent === name) || hasDialog(session)) return "waiting";
    return store.turns.open(session.id) ? "working" : "idle";
  }

  function hasDialog({ id }: SessionRow): boolean {
    const latest = store.events.latest(id);
    if (latest?.event !== "Notification") return false;
    return dialogs.has((parseJson(latest.payload) as { notification_type?: string }).notification_type ?? "");
  }

  function focusOf({ id, title }: SessionRow): string | null {
    const prompt = store.turns.lastHumanPrompt(id)?.replace(/\s+/g, " ");
    return prompt ? clip(prompt, 100) : title;
  }

  function view(agent: AgentRow): AgentView {
    const latest = store.sessions.latestOfAgent(agent.id);
    const session = latest && isLive(latest, clock()) ? latest : undefined;
    const waiting = store.deliveries.openFor(agent.id).filter((row) => row.state === "queued").length;
    return {
      id: agent.id,
      name: agent.name,
      project: agent.projectName,
      status: session ? statusOf(agent, session) : "gone",
      session: session?.id ?? null,
      branch: session?.branch ?? null,
      focus: session ? focusOf(session) : null,
      waiting,
    };
  }

  return { of: view, all: () => store.agents.all().map(view) };
}
