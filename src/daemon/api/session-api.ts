import { redactText } from "../../redact/redact-text.ts";
import type { Handlers } from "../../http/handlers.ts";
import type { DeliveryView, SessionView } from "../../protocol/api.ts";
import type { sessionEndpoints } from "../../protocol/endpoints/sessions.ts";
import { hasOneSessionPerProcess } from "../../hosts/detect-host.ts";
import { labelHost } from "../../hosts/marks.ts";
import { AppError } from "../../shared/errors.ts";
import { isSameProcess, processStartMark } from "../../shared/processes.ts";
import { clip } from "../../shared/text.ts";
import type { DeliveryRow } from "../../store/deliveries.ts";
import type { Store } from "../../store/open-store.ts";
import type { SessionRow } from "../../store/sessions.ts";
import type { Peer } from "../../http/peer.ts";
import type { CallerCheck } from "../ask/caller.ts";
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
  callerCheck: CallerCheck;
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
      hostLabel: labelHost(host),
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

  function findDelivery(id: string): DeliveryRow {
    const about = { noun: "delivery", missing: "delivery_not_found", minLength: 6 } as const;
    return findById(store.deliveries, id, about);
  }

  /** The current session of a host process. */
  function findSessionOfPid(hostPid: number): SessionRow {
    const session = store.sessions.latestOfPid(hostPid);
    if (!session) throw new AppError("session_not_found", `No session of process ${hostPid} is known.`);
    return session;
  }

  /**
   * In hosts with one session per process it is known from the hooks, and no caller may replace it. In others the caller
   * names a process of its own that runs no other session, and a process that still runs is not replaced.
   */
  async function claimProcess(session: SessionRow, hostPid: number, peer: Peer): Promise<void> {
    const refuse = (why: string): never => {
      throw new AppError(
        "may_not_decide",
        `Process ${hostPid} may not represent session ${session.id}: ${why}.`,
      );
    };
    if (hasOneSessionPerProcess(session.host)) refuse("the process of that session is known from its hooks");
    const other = store.sessions.latestOfPid(hostPid);
    if (other && other.id !== session.id && isSameProcess(hostPid, other.pidStarted))
      refuse(`it runs session ${other.id}`);
    const isRunning = session.hostPid !== null && isSameProcess(session.hostPid, session.pidStarted);
    const verdicts = [await deps.callerCheck.mayRepresent(hostPid, peer)];
    if (isRunning && session.hostPid !== null)
      verdicts.push(await deps.callerCheck.maySpeakFor(session.hostPid, peer));
    for (const verdict of verdicts) if (!verdict.may) refuse(verdict.why);
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
    async createSession({ body: session, caller: { peer } }) {
      const start = {
        session_id: session.id,
        cwd: session.cwd,
        transcript_path: session.transcriptPath,
        model: session.model,
        source: "api",
      };
      const posted = makePostedHook("session.started", start, peer, `session:${session.id}`);
      await postHook({ ...posted, hostPid: session.hostPid });
      const row = findSession(session.id);
      if (session.title !== undefined)
        store.sessions.update({ ...row, title: redactText(session.title).text });
      return viewSession(findSession(session.id));
    },
    getSession: ({ params: { id } }) => viewSession(findSession(id)),
    async changeSession({ params: { id }, body: patch, caller: { peer } }) {
      const before = findSession(id);
      if (patch.title !== undefined)
        store.sessions.update({ ...before, title: redactText(patch.title).text });
      if (patch.hostPid !== undefined) await claimProcess(before, patch.hostPid, peer);
      if (patch.status === "ended" && before.status === "active")
        await postHook(makePostedHook("session.ended", { session_id: id, reason: "api" }, peer));
      if (patch.status === "active" && before.status === "ended")
        await postHook(makePostedHook("session.started", { session_id: id, source: "api" }, peer));
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
    getDelivery: ({ params: { id } }) => viewDelivery(findDelivery(id)),
    async acknowledgeDelivery({ params: { id }, query: { pid }, caller: { peer } }) {
      const { id: found, agentId } = findDelivery(id);
      const agent = await senders.identify({ hostPid: pid, peer });
      if (agent && agent.id !== agentId)
        throw new AppError("not_your_session", `Delivery ${id} is not for ${agent.name}.`);
      return viewDelivery(deliveries.acknowledge(found));
    },
  };
}
