import { flattenToLine } from "../../domain/story/to-line.ts";
import { hostFor } from "../../hosts/hosts.ts";
import { labelHost } from "../../hosts/marks.ts";
import type { RunningView } from "../../protocol/viewer.ts";
import type { Clock } from "../../shared/clock.ts";
import { parseJson } from "../../shared/json.ts";
import type { SessionActivity } from "../../store/events.ts";
import type { Store } from "../../store/open-store.ts";
import type { SessionRow } from "../../store/sessions.ts";
import { isLive } from "../identity/seats.ts";
import { judgeSession } from "../identity/session-state.ts";

/** The running sessions and their latest activity: one indexed lookup each. */
export function listRunningSessions(store: Store, clock: Clock): RunningView[] {
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
    hostLabel: labelHost(session.host),
    project: agent?.projectName ?? "",
    branch,
    title,
    model,
    state: judgeSession(store, session),
    doing: newest
      ? {
          event: newest.event,
          tool: newest.tool,
          about: describeActivity(newest, session.host),
          at: newest.at,
        }
      : null,
    prompt: prompt ? flattenToLine(prompt, 400) : null,
    queued: store.deliveries.openFor(session.agentId).filter(({ state }) => state === "queued").length,
    startedAt,
    lastEventAt,
  };
}

function describeActivity({ tool, input, message }: SessionActivity, host: string): string {
  if (input === null) return flattenToLine(message ?? "");
  return flattenToLine(hostFor(host).tools.readCall(tool ?? "", parseJson(input)).target);
}
