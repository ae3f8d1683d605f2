import { redactText } from "../../redact/redact-text.ts";
import type { Backend } from "../../http/backend.ts";
import type { CareBackend } from "../../http/care-backend.ts";
import type { ImportBackend } from "../../http/import-backend.ts";
import type { MailBackend } from "../../http/mail-backend.ts";
import type { MemoryBackend } from "../../http/memory-backend.ts";
import type { ModelBackend } from "../../http/model-backend.ts";
import type { AskBackend } from "../../http/ask-backend.ts";
import type { ChannelsBackend } from "../../http/channels-backend.ts";
import type { ReachBackend } from "../../http/reach-backend.ts";
import type { ViewerBackend } from "../../http/viewer-backend.ts";
import type { DeliveryView, HookAnswer, SessionView } from "../../protocol/api.ts";
import type { StatusReport } from "../../protocol/status.ts";
import { type Build, isNewerBuild } from "../../shared/build.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import { makeId } from "../../shared/ids.ts";
import type { Log } from "../../shared/log.ts";
import type { DeliveryRow } from "../../store/deliveries.ts";
import type { Store } from "../../store/open-store.ts";
import type { SessionRow } from "../../store/sessions.ts";
import type { AgentViews } from "../ask/agent-views.ts";
import type { Bus } from "../runtime/bus.ts";
import type { Deliveries } from "../delivery/deliveries.ts";
import type { Ingest } from "../capture/ingest.ts";
import type { Speakers } from "../mail/speaker.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { Preparation } from "../capture/preparation.ts";
import { parseJson } from "../../shared/json.ts";
import { clip } from "../../shared/text.ts";
import { hostFor, type NamedEvent, resolveEvent } from "../../hosts/hosts.ts";
import type { AgentEvent } from "../../protocol/agent-events.ts";

export interface BackendDeps {
  settings: Pick<Backend, "config" | "patchConfig">;
  build: Build;
  token: string;
  store: Store;
  bus: Bus;
  log: Log;
  clock: Clock;
  ingest: Ingest;
  metrics: Metrics;
  preparation: Preparation;
  deliveries: Deliveries;
  agents: AgentViews;
  memory: MemoryBackend;
  model: ModelBackend;
  mail: MailBackend;
  speakers: Pick<Speakers, "identify">;
  importing: ImportBackend;
  care: CareBackend;
  reach: ReachBackend;
  asking: AskBackend;
  channels: ChannelsBackend;
  status(): Promise<StatusReport>;
  viewer: ViewerBackend;
  port(): number;
  stop(reason: string): void;
}

/** The daemon, as the routes see it. */
export function makeBackend(deps: BackendDeps): Backend {
  const { store, bus, clock, ingest, metrics, preparation, deliveries } = deps;

  function viewSession(session: SessionRow): SessionView {
    const { id, cwd, source, model, title, branch, status, endReason, startedAt, lastEventAt } = session;
    const agent = store.agents.byId(session.agentId);
    const prompt = store.turns.firstHumanPrompt(id);
    return {
      id,
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
      counts: { ...store.sessions.counts(id), observations: store.observations.countOfSession(id) },
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

  async function postHook({
    raw,
    id,
    hostPid,
    ...name
  }: Parameters<Backend["postHook"]>[0]): Promise<HookAnswer> {
    const { host } = resolveEvent(name);
    const prepared = await preparation.prepare(raw, name);
    const eventId = id ?? makeId(clock());
    const incoming = { id: eventId, host, hostPid, occurredAt: clock(), via: "api", prepared } as const;
    const { recorded, reply } = await ingest.submit(incoming, true);
    metrics.countEvent(prepared.event, "api");
    const output = reply.stdout ? parseJson(reply.stdout) : null;
    return {
      id: eventId,
      duplicate: !recorded.isNew,
      session: recorded.session.id,
      agent: recorded.agent.name,
      output,
    };
  }

  /** What a host says over the API becomes the event its hook would have brought: turns close, and it is announced. */
  async function tell(event: AgentEvent, fields: object, id?: string): Promise<void> {
    const name: NamedEvent = { event: hostFor(undefined).events.nameOf(event) ?? event, host: undefined };
    const raw = new TextEncoder().encode(JSON.stringify({ ...fields, hook_event_name: name.event }));
    await postHook({ ...name, raw, id, hostPid: undefined });
  }

  return {
    log: deps.log,
    token: deps.token,
    version: deps.build.version,
    port: deps.port,
    health: () => (ingest.paused() ? "paused" : "ok"),
    status: deps.status,
    memory: deps.memory,
    model: deps.model,
    mail: deps.mail,
    importing: deps.importing,
    care: deps.care,
    reach: deps.reach,
    asking: deps.asking,
    channels: deps.channels,
    viewer: deps.viewer,
    postHook,
    async createSession(session) {
      const start = {
        session_id: session.id,
        cwd: session.cwd,
        transcript_path: session.transcriptPath,
        model: session.model,
        source: "api",
      };
      await tell("session.started", start, `session:${session.id}`);
      const row = findSession(session.id);
      if (session.title !== undefined)
        store.sessions.update({ ...row, title: redactText(session.title).text });
      return viewSession(findSession(session.id));
    },
    listSessions: (limit, before) =>
      (before === undefined
        ? store.sessions.recent(limit)
        : store.sessions.olderThan(findSession(before), limit)
      ).map(viewSession),
    getSession: (id) => viewSession(findSession(id)),
    async patchSession(id, patch) {
      const before = findSession(id);
      if (patch.title !== undefined)
        store.sessions.update({ ...before, title: redactText(patch.title).text });
      if (patch.status === "ended" && before.status === "active")
        await tell("session.ended", { session_id: id, reason: "api" });
      if (patch.status === "active" && before.status === "ended")
        await tell("session.started", { session_id: id, source: "api" });
      return viewSession(findSession(id));
    },
    sessionOfPid(hostPid) {
      const session = store.sessions.latestOfPid(hostPid);
      if (!session) throw new AppError("session_not_found", `No session of process ${hostPid} is known.`);
      return viewSession(session);
    },
    listAgents: () => deps.agents.all(),
    async sendDelivery({ to, body, from, source }, caller) {
      const agent = await deps.speakers.identify(caller);
      if (!agent && store.agents.byName(from))
        throw new AppError(
          "may_not_decide",
          `${from} is an agent: only its own session speaks in that name.`,
        );
      const speaker = agent ? { sender: agent.name, source: "api" } : { sender: from, source };
      return viewDelivery(deliveries.queue({ to, kind: "message", ...speaker, body }));
    },
    getDelivery(id) {
      const [short, other] = id.length >= 6 ? store.deliveries.byShortId(id) : [];
      if (other) throw new AppError("invalid_argument", `${id} fits several deliveries: use more of the id.`);
      const row = store.deliveries.byId(id) ?? short;
      if (!row) throw new AppError("delivery_not_found", `There is no delivery ${id}.`);
      return viewDelivery(row);
    },
    listDeliveries(name, limit) {
      const agent = store.agents.byName(name);
      if (!agent) throw new AppError("agent_not_found", `There is no agent ${name}.`);
      return store.deliveries.ofAgent(agent.id, limit).map(viewDelivery);
    },
    acknowledgeDelivery: (id) => viewDelivery(deliveries.acknowledge(id)),
    ...deps.settings,
    isOlderThan: (other) => isNewerBuild(other, deps.build),
    stop: deps.stop,
    subscribe: (listener) => bus.subscribe(({ seq, event }) => listener(seq, event)),
    since: (seq) => bus.since(seq),
  };
}
