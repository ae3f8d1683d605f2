import type { AgentRow } from "../../store/agents.ts";
import type { Store } from "../../store/open-store.ts";
import type { ProjectRow } from "../../store/projects.ts";
import type { SessionRow } from "../../store/sessions.ts";
import { takeSeat } from "../identity/seats.ts";

type ImportedSession = Pick<
  SessionRow,
  "id" | "host" | "cwd" | "transcriptPath" | "branch" | "startedAt" | "lastEventAt"
>;

/** Inserts a session that ended before it was imported. */
export function insertImportedSession(
  store: Store,
  project: ProjectRow,
  session: ImportedSession,
  nowMs: number,
): void {
  store.sessions.insert({
    ...session,
    agentId: findSeat(store, project, session.id, nowMs).id,
    project: project.path,
    hostPid: null,
    pidStarted: null,
    source: "import",
    model: null,
    title: null,
    status: "ended",
    statusAt: session.lastEventAt,
    endReason: "import",
  });
}

/** The first agent of the project, or a new one. An imported session has ended, so it may share a seat. */
export function findSeat(store: Store, project: ProjectRow, sessionId: string, nowMs: number): AgentRow {
  const place = { key: project.path, name: project.name };
  const newcomer = { sessionId, hostPid: null, pidStarted: null, project: place };
  return store.agents.ofProject(project.path)[0] ?? takeSeat(store, newcomer, undefined, nowMs);
}
