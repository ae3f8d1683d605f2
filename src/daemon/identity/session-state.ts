import { judgeState } from "../../domain/story/session-state.ts";
import type { Store } from "../../store/open-store.ts";
import type { SessionRow } from "../../store/sessions.ts";

/** The current activity of a live session, for agents and for the viewer. Indexed lookups only. */
export function judgeSession(store: Store, { id, agentId }: SessionRow): ReturnType<typeof judgeState> {
  const agent = store.agents.byId(agentId)?.name;
  return judgeState({
    hasOpenTurn: store.turns.findOpen(id) !== undefined,
    hasOpenQuestion: store.questions.listOpen().some((question) => question.agent === agent),
    newest: store.events.latest(id),
  });
}
