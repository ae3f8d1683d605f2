import type { AgentView } from "../../protocol/api.ts";
import type { Clock } from "../../shared/clock.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { Store } from "../../store/open-store.ts";
import type { SessionRow } from "../../store/sessions.ts";
import { isLive } from "../identity/seats.ts";
import { judgeSession } from "../identity/session-state.ts";
import { clip } from "../../shared/text.ts";

/** The project, status and current work of each agent. */
export interface AgentViews {
  view(agent: AgentRow): AgentView;
  viewAll(): AgentView[];
}

export function makeAgentViews(store: Store, clock: Clock): AgentViews {
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
      status: session ? judgeSession(store, session) : "gone",
      session: session?.id ?? null,
      branch: session?.branch ?? null,
      host: latest?.host ?? null,
      focus: session ? focusOf(session) : null,
      waiting,
    };
  }

  return { view: view, viewAll: () => store.agents.all().map(view) };
}
