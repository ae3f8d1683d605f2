import { lowestFreeSeat, nameAgent } from "../../domain/agents/seat.ts";
import { ageMs } from "../../shared/clock.ts";
import { makeId } from "../../shared/ids.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { Store } from "../../store/open-store.ts";
import type { SessionRow } from "../../store/sessions.ts";
import { isSameProcess } from "../../shared/processes.ts";
import type { Project } from "./project.ts";

interface NewSession {
  sessionId: string;
  hostPid: number | null;
  pidStarted: string | null;
  project: Project;
}

/** A session without a process id (posted by another host) counts as live this long after its last event. */
const silentAfterMs = 30 * 60_000;

export function isLive(session: SessionRow, nowMs: number): boolean {
  if (session.status !== "active") return false;
  if (session.hostPid === null) return ageMs(session.lastEventAt, nowMs) < silentAfterMs;
  return isSameProcess(session.hostPid, session.pidStarted);
}

/**
 * Assigns an agent to a session. The same process keeps its agent through `/clear`; a resumed session gets its agent
 * back unless another session has it now; any other session takes the project's lowest free seat.
 */
export function takeSeat(
  store: Store,
  newcomer: NewSession,
  previous: SessionRow | undefined,
  nowMs: number,
): AgentRow {
  const { project, hostPid, pidStarted } = newcomer;
  const isSelf = (session: SessionRow): boolean =>
    session.id === newcomer.sessionId ||
    (hostPid !== null && session.hostPid === hostPid && session.pidStarted === pidStarted);
  const occupied = new Set(
    store.sessions
      .activeOfProject(project.key)
      .filter((session) => !isSelf(session) && isLive(session, nowMs))
      .map((session) => session.agentId),
  );

  const sameProcess = hostPid === null ? undefined : store.sessions.latestOfPid(hostPid);
  for (const candidate of [sameProcess, previous]) {
    if (!candidate || !isSelf(candidate) || candidate.project !== project.key) continue;
    if (!occupied.has(candidate.agentId)) return store.agents.byId(candidate.agentId) as AgentRow;
  }
  const agents = store.agents.ofProject(project.key);
  const free = agents.find((agent) => !occupied.has(agent.id));
  return free ?? createAgent(store, project, agents, nowMs);
}

function createAgent(store: Store, project: Project, agents: AgentRow[], nowMs: number): AgentRow {
  const seat = lowestFreeSeat(new Set(agents.map((agent) => agent.seat)));
  const name = nameAgent(project.name, seat, (taken) => store.agents.byName(taken) !== undefined);
  const agent = {
    id: makeId(nowMs),
    name,
    project: project.key,
    projectName: project.name,
    seat,
    createdAt: nowMs,
  };
  store.agents.insert(agent);
  return agent;
}
