import { describeToolInput, toLine } from "../../domain/story/tool-about.ts";
import type { RunningView } from "../../protocol/viewer.ts";
import type { Clock } from "../../shared/clock.ts";
import { parseJson } from "../../shared/json.ts";
import type { SessionActivity } from "../../store/events.ts";
import type { Store } from "../../store/open-store.ts";
import type { SessionRow } from "../../store/sessions.ts";
import { isLive } from "../identity/seats.ts";
import { stateOf } from "../identity/session-state.ts";

/** The running sessions and their latest activity: one indexed lookup each. */
export function listRunning(store: Store, clock: Clock): RunningView[] {
  return store.sessions
    .active()
    .filter((session) => isLive(session, clock()))
    .map((session) => viewRunning(store, session));
}

function viewRunning(store: Store, session: SessionRow): RunningView {
  const { id, branch, title, model, startedAt, lastEventAt } = session;
  const agent = store.agents.byId(session.agentId);
  const newest = store.events.latestActivity(id);
  const prompt = store.turns.lastHumanPrompt(id);
  return {
    id,
    pid: session.hostPid,
    agent: agent?.name ?? "",
    project: agent?.projectName ?? "",
    branch,
    title,
    model,
    state: stateOf(store, session),
    doing: newest
      ? { event: newest.event, tool: newest.tool, about: tellAbout(newest), at: newest.at }
      : null,
    prompt: prompt ? toLine(prompt, 400) : null,
    queued: store.deliveries.openFor(session.agentId).filter(({ state }) => state === "queued").length,
    startedAt,
    lastEventAt,
  };
}

function tellAbout({ input, message }: SessionActivity): string {
  return input === null ? toLine(message ?? "") : describeToolInput(parseJson(input));
}
