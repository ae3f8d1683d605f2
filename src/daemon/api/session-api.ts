import { redactText } from "../../redact/redact-text.ts";
import type { Handlers } from "../../http/handlers.ts";
import type { DeliveryView, SessionView } from "../../protocol/api.ts";
import type { sessionEndpoints } from "../../protocol/endpoints/sessions.ts";
import { hasOneSessionPerProcess } from "../../hosts/detect-host.ts";
import { AppError } from "../../shared/errors.ts";
import { processStartMark } from "../../shared/processes.ts";
import { clip } from "../../shared/text.ts";
import type { DeliveryRow } from "../../store/deliveries.ts";
import type { Store } from "../../store/open-store.ts";
import type { SessionRow } from "../../store/sessions.ts";
import type { AgentViews } from "../ask/agent-views.ts";
import type { Deliveries } from "../delivery/deliveries.ts";
import type { SenderCheck } from "../mail/sender-check.ts";
import type { Viewer } from "../viewer/open-viewer.ts";
import { makePostedHook, type PostHook } from "./post-hook.ts";
import { findById } from "../runtime/find-by-id.ts";

interface SessionHandlersDeps {
  store: Store;
  deliveries: Deliveries;
  agents: AgentViews;
  senders: Pick<SenderCheck, "identify">;
  postHook: PostHook;
  /** Ids of sessions with these words, newest first. */
  findSessions: Viewer["findSessions"];
}

const maxWords = 12;

/** Handlers of the endpoints for sessions, agents and deliveries. */
export function makeSessionHandlers(deps: SessionHandlersDeps): Handlers<typeof sessionEndpoints> {
  const { store, deliveries, agents, senders, postHook } = deps;

  function viewSession(session: SessionRow): SessionView {
    const { id, host, cwd, source, model, title, branch, status, endReason, startedAt, lastEventAt } =
      session;
    const agent = store.agents.byId(session.agentId);
    const prompt = store.turns.firstHumanPrompt(id);
    const notes = store.notes.countOfSession(id);
    return {
      id,
      host,
      agent: agent?.name ?? "",
      project: agent?.projectName ?? "",
      projectPath: session.project,
      cwd,
      source,
      model,
      title,
      asked: prompt ? clip(prompt, 120) : null,
      branch,
      status,
      endReason,
      startedAt,
      lastEventAt,
      counts: { ...store.sessions.counts(id), notes, observations: notes },
    };
  }

  function findSession(id: string): SessionRow {
    const session = store.sessions.byId(id);
    if (!session) throw new AppError("session_not_found", `There is no session ${id}.`);
    return session;
  }

  function viewDelivery(row: DeliveryRow): DeliveryView {
    const { id, kind, source, body, state, attempts, createdAt, injectedAt, confirmedAt } = row;
    const agent = store.agents.byId(row.agentId)?.name ?? "";
    return {
      id,
      agent,
      kind,
      from: row.sender,
      source,
      body,
      state,
      attempts,
      session: row.sessionId,
      point: row.injectionPoint,
      createdAt,
      injectedAt,
      confirmedAt,
      message: row.messageId,
    };
  }

  /** The current session of a host process. */
  function findSessionOfPid(hostPid: number): SessionRow {
    const session = store.sessions.latestOfPid(hostPid);
    if (!session) throw new AppError("session_not_found", `No session of process ${hostPid} is known.`);
    return session;
  }

  /** In other hosts the process is known from the hooks, and no caller may replace it. */
  function claimProcess(session: SessionRow, hostPid: number): void {
    if (hasOneSessionPerProcess(session.host))
      throw new AppError("may_not_decide", `The process of session ${session.id} is known from its hooks.`);
    store.sessions.update({ ...session, hostPid, pidStarted: processStartMark(hostPid) || null });
  }

  function listSessions(limit: number, before: string | undefined, host: string | undefined): SessionRow[] {
    return before === undefined
      ? store.sessions.recent(limit, host)
      : store.sessions.listBefore(findSession(before), limit, host);
  }

  async function searchSessions(
    words: string[],
    { project, before, host }: Record<"project" | "before" | "host", string | undefined>,
    limit: number,
  ): Promise<SessionRow[]> {
    const from = before === undefined ? undefined : findSession(before);
    const ids = await deps.findSessions({ words, project, host, before: from, limit });
    return ids.flatMap((id) => store.sessions.byId(id) ?? []);
  }

  return {
    async listSessions({ query: { limit, before, host, pid, q = "", project } }) {
      const words = q.split(/\s+/).filter(Boolean).slice(0, maxWords);
      const rows =
        pid !== undefined
          ? [findSessionOfPid(pid)]
          : words.length > 0 || project !== undefined
            ? await searchSessions(words, { project, before, host }, limit)
            : listSessions(limit, before, host);
      return { sessions: rows.map(viewSession) };
    },
    async createSession({ body: session }) {
      const start = {
        session_id: session.id,
        cwd: session.cwd,
        transcript_path: session.transcriptPath,
        model: session.model,
        source: "api",
      };
      await postHook(makePostedHook("session.started", start, `session:${session.id}`));
      const row = findSession(session.id);
      if (session.title !== undefined)
        store.sessions.update({ ...row, title: redactText(session.title).text });
      return viewSession(findSession(session.id));
    },
    getSession: ({ params: { id } }) => viewSession(findSession(id)),
    async changeSession({ params: { id }, body: patch }) {
      const before = findSession(id);
      if (patch.title !== undefined)
        store.sessions.update({ ...before, title: redactText(patch.title).text });
      if (patch.hostPid !== undefined) claimProcess(before, patch.hostPid);
      if (patch.status === "ended" && before.status === "active")
        await postHook(makePostedHook("session.ended", { session_id: id, reason: "api" }));
      if (patch.status === "active" && before.status === "ended")
        await postHook(makePostedHook("session.started", { session_id: id, source: "api" }));
      return viewSession(findSession(id));
    },
    listAgents: ({ query: { host } }) => ({
      agents: agents.viewAll().filter((agent) => host === undefined || agent.host === host),
    }),
    async sendDelivery({ body: { to, body, from, source, hostPid }, caller: { peer } }) {
      const agent = await senders.identify({ hostPid, peer });
      if (!agent && store.agents.byName(from))
        throw new AppError("may_not_decide", `${from} is an agent: only its own session may use that name.`);
      const speaker = agent ? { sender: agent.name, source: "api" } : { sender: from, source };
      return viewDelivery(deliveries.queue({ to, kind: "message", ...speaker, body }));
    },
    listDeliveries({ query: { agent: name, limit } }) {
      const agent = store.agents.byName(name);
      if (!agent) throw new AppError("agent_not_found", `There is no agent ${name}.`);
      return { deliveries: store.deliveries.ofAgent(agent.id, limit).map(viewDelivery) };
    },
    getDelivery({ params: { id } }) {
      const about = { noun: "delivery", missing: "delivery_not_found", minLength: 6 } as const;
      return viewDelivery(findById(store.deliveries, id, about));
    },
    acknowledgeDelivery: ({ params: { id } }) => viewDelivery(deliveries.acknowledge(id)),
  };
}
