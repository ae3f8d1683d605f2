import { homedir } from "node:os";
import type { PreparedEvent } from "../../domain/capture/prepare-event.ts";
import { settleTurns, advanceTurn } from "../../domain/capture/turns.ts";
import type { BusEvent } from "../../protocol/bus-events.ts";
import { detectHost, hasOneSessionPerProcess, hostOfTranscript } from "../../hosts/detect-host.ts";
import type { HostName } from "../../hosts/marks.ts";
import type { AgentEvent } from "../../protocol/agent-events.ts";
import { makeId } from "../../shared/ids.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { EventRow } from "../../store/events.ts";
import type { Store } from "../../store/open-store.ts";
import type { SessionRow } from "../../store/sessions.ts";
import { nameOf } from "../../store/tombstones.ts";
import { processStartMark } from "../../shared/processes.ts";
import { locateProject, type Project, readBranch } from "../identity/project.ts";
import { findOrCreateProject } from "../identity/project-registry.ts";
import { takeSeat } from "../identity/seats.ts";
import { parseJson } from "../../shared/json.ts";

export interface IncomingEvent {
  id: string;
  /** The host that sent it, if its hook names it. */
  host: HostName | undefined;
  hostPid: number | undefined;
  occurredAt: number;
  via: EventRow["via"];
  prepared: PreparedEvent;
}

export interface RecordedEvent {
  isNew: boolean;
  session: SessionRow;
  agent: AgentRow;
  /** Published once the transaction is committed. */
  busEvents: BusEvent[];
}

/** Writes one event and its consequences. Runs inside the caller's transaction; a known event changes nothing. */
export function recordEvent(store: Store, incoming: IncomingEvent, nowMs: number): RecordedEvent {
  const { prepared } = incoming;
  const { event, sessionId, toolUseId } = prepared;
  const known = store.events.findKnown(incoming.id, event, sessionId, toolUseId);
  if (known !== undefined) {
    const session = store.sessions.byId(known) as SessionRow;
    return { isNew: false, session, agent: store.agents.byId(session.agentId) as AgentRow, busEvents: [] };
  }

  const previous = store.sessions.byId(sessionId);
  const { session, agent } = upsertSession(store, incoming, previous, nowMs);
  const isMetadataOnly =
    store.projects.isOff(session.project) || isForgotten(store, incoming, session, nowMs);
  const kept = isMetadataOnly ? withoutText(incoming) : incoming;
  const turnClosedAs = writeEvent(store, kept, session, nowMs);
  const wasEnded = previous?.status === "ended";
  return {
    isNew: true,
    session,
    agent,
    busEvents: announce(incoming, session, agent, { turnClosedAs, wasEnded }),
  };
}

/** True for a late event of forgotten data, or an event of a turn that was forgotten while it ran. */
function isForgotten(
  store: Store,
  { id, occurredAt, prepared }: IncomingEvent,
  { id: sessionId, project }: SessionRow,
  nowMs: number,
): boolean {
  const { tombstones } = store;
  const { promptId, payload } = prepared;
  if (tombstones.hasTurn({ sessionId, promptId }) || tombstones.has(nameOf.event(id))) return true;
  if (tombstones.covers(project, occurredAt)) return true;
  if (!tombstones.matchesForgotten(() => payload, nowMs)) return false;
  if (promptId !== undefined) tombstones.add([nameOf.prompt(sessionId, promptId)], nowMs);
  return true;
}

/**
 * For a project that is switched off, and for forgotten turns, only metadata is kept: the time, the tool and the turn,
 * but no text.
 */
function withoutText(incoming: IncomingEvent): IncomingEvent {
  const prompt = incoming.prepared.prompt === undefined ? undefined : "";
  return {
    ...incoming,
    prepared: {
      ...incoming.prepared,
      prompt,
      filePath: undefined,
      lastAssistantMessage: undefined,
      payload: "{}",
    },
  };
}

/** Returns the outcome of the turn that the event ended, if it did. */
function writeEvent(
  store: Store,
  incoming: IncomingEvent,
  session: SessionRow,
  nowMs: number,
): string | undefined {
  const { prepared } = incoming;
  const turn = applyTurn(store, incoming, session);
  store.events.insert({
    id: incoming.id,
    event: prepared.event,
    sessionId: session.id,
    turnId: turn?.id ?? null,
    subagentId: prepared.subagentId ?? null,
    toolName: prepared.toolName ?? null,
    toolKind: prepared.toolKind ?? null,
    toolUseId: prepared.toolUseId ?? null,
    filePath: prepared.filePath ?? null,
    payload: prepared.payload,
    bytes: prepared.bytes,
    via: incoming.via,
    occurredAt: incoming.occurredAt,
    storedAt: nowMs,
  });
  return turn?.closedAs;
}

function upsertSession(
  store: Store,
  incoming: IncomingEvent,
  previous: SessionRow | undefined,
  nowMs: number,
): { session: SessionRow; agent: AgentRow } {
  const { prepared, occurredAt } = incoming;
  const isStart = prepared.event === "session.started";
  const hostPid = processAfter(previous, incoming);
  const movedProcess = hostPid !== (previous?.hostPid ?? null);
  const pidStarted = movedProcess ? hostPid && processStartMark(hostPid) : (previous?.pidStarted ?? null);
  const base: SessionRow = previous ?? {
    id: prepared.sessionId,
    agentId: "",
    host: unknownHost,
    project: "",
    cwd: null,
    transcriptPath: null,
    hostPid: null,
    pidStarted: null,
    source: "unknown",
    model: null,
    title: null,
    branch: null,
    status: "active",
    statusAt: occurredAt,
    endReason: null,
    startedAt: occurredAt,
    lastEventAt: occurredAt,
  };
  const session: SessionRow = {
    ...base,
    host: hostAfter(base, incoming),
    hostPid,
    pidStarted: pidStarted || null,
    cwd: prepared.cwd ?? base.cwd,
    transcriptPath: transcriptAfter(base, incoming),
    source: isStart ? (prepared.source ?? "startup") : base.source,
    model: prepared.model ?? base.model,
    branch: isStart ? readBranch(prepared.cwd ?? base.cwd ?? homedir()) : base.branch,
    startedAt: Math.min(base.startedAt, occurredAt),
    lastEventAt: Math.max(base.lastEventAt, occurredAt),
    ...statusAfter(base, incoming),
  };

  const mayMove = !previous || (movedProcess && session.status === "active");
  if (mayMove) {
    // A session belongs to the project where it began: `cd` inside it does not change that.
    const project = previous ? projectOf(store, previous) : locateProject(prepared.cwd ?? homedir());
    // Must run before a seat is taken: a moved repository keeps its agents.
    findOrCreateProject(store, project.key, nowMs);
    const newcomer = { sessionId: session.id, hostPid, pidStarted: session.pidStarted, project };
    session.agentId = takeSeat(store, newcomer, previous, nowMs).id;
    session.project = project.key;
  }
  if (previous && isSameButTime(previous, session)) store.sessions.touch(session.id, session.lastEventAt);
  else if (previous) store.sessions.update(session);
  else store.sessions.insert(session);
  if (isStart && hostPid !== null) endReplaced(store, session, hostPid);
  return { session, agent: store.agents.byId(session.agentId) as AgentRow };
}

function isSameButTime(before: SessionRow, after: SessionRow): boolean {
  return (Object.keys(after) as (keyof SessionRow)[]).every(
    (key) => key === "lastEventAt" || before[key] === after[key],
  );
}

function projectOf(store: Store, { project, agentId }: SessionRow): Project {
  return { key: project, name: store.agents.byId(agentId)?.projectName ?? "" };
}

/** A host without its own row, or one that its payloads do not identify. */
const unknownHost: HostName = "other";

/** A posted event never moves a session to another process: its process is who may speak for it. */
function processAfter(previous: SessionRow | undefined, incoming: IncomingEvent): number | null {
  if (!previous) return incoming.hostPid ?? null;
  if (incoming.via === "api") return previous.hostPid;
  return incoming.hostPid ?? (keepsProcess(previous, incoming) ? previous.hostPid : null);
}

/** A posted event only adds a missing transcript: it confirms deliveries and becomes memory. */
function transcriptAfter({ transcriptPath }: SessionRow, { via, prepared }: IncomingEvent): string | null {
  if (via === "api" && transcriptPath !== null) return transcriptPath;
  return prepared.transcriptPath ?? transcriptPath;
}

/**
 * The host that the hook names or the payload identifies; a start may move a session to another host. A posted event
 * may not: the host decides whether the API may name the session's process.
 */
function hostAfter(base: SessionRow, { host, prepared, via }: IncomingEvent): string {
  if (via === "api" && base.host !== unknownHost) return base.host;
  if (host !== undefined) return host;
  if (base.host !== unknownHost && prepared.event !== "session.started") return base.host;
  const { sessionId, transcriptPath, payload } = prepared;
  // Id and path come from the event itself: the stored payload is redacted.
  const fields = {
    ...(parseJson(payload) as object),
    session_id: sessionId,
    transcript_path: transcriptPath,
  };
  return detectHost(fields) ?? base.host;
}

/**
 * In hosts whose process has one session at a time, a start proves that the earlier session of the process has ended,
 * even if its end was never reported.
 */
function endReplaced(store: Store, session: SessionRow, hostPid: number): void {
  const { host } = session;
  if (!hasOneSessionPerProcess(host)) return;
  for (const other of store.sessions.activeOfPid(hostPid)) {
    if (other.id === session.id || other.lastEventAt > session.statusAt) continue;
    // A host that was started inside a session may report the pid of that session.
    if ((hostOfTranscript(other.transcriptPath) ?? other.host) !== host) continue;
    store.sessions.update({ ...other, status: "ended", statusAt: other.lastEventAt, endReason: "replaced" });
  }
}

/** Hooks of hosts whose processes run many sessions name no process: one known from before may have ended since. */
function keepsProcess({ host, status }: SessionRow, { prepared }: IncomingEvent): boolean {
  const isBegun = prepared.event === "session.started" || (prepared.event === "prompt" && status === "ended");
  return !isBegun || hasOneSessionPerProcess(host);
}

/** A late event must not undo a newer one: the status follows the event's own time. */
function statusAfter(base: SessionRow, incoming: IncomingEvent): Partial<SessionRow> {
  const { occurredAt, prepared } = incoming;
  const { event } = prepared;
  if (occurredAt < base.statusAt) return {};
  if (event === "session.ended")
    return { status: "ended", statusAt: occurredAt, endReason: prepared.reason ?? "other" };
  const revives = event === "prompt" && base.status === "ended";
  if (event === "session.started" || revives)
    return { status: "active", statusAt: occurredAt, endReason: null };
  return {};
}

function applyTurn(
  store: Store,
  incoming: IncomingEvent,
  session: SessionRow,
): { id: string; closedAs: string | undefined } | undefined {
  const { prepared, occurredAt } = incoming;
  const { event, promptId, isMachinePrompt: isMachine, lastAssistantMessage } = prepared;
  const sessionId = session.id;
  const named = promptId === undefined ? undefined : store.turns.byPrompt(sessionId, promptId);
  const fact = { event, promptId, isMachine, lastAssistantMessage, occurredAt };
  const step = advanceTurn(fact, store.turns.findOpen(sessionId), named);
  for (const changed of step.updates) store.turns.update(changed);
  const target = step.belongsTo;
  if (!target) return undefined;
  const id = "existing" in target ? target.existing.id : makeId(occurredAt);
  if ("inserted" in target) store.turns.insert({ ...target.inserted, id, sessionId });
  if (event === "prompt") {
    store.turns.insertPrompt({
      eventId: incoming.id,
      sessionId,
      turnId: id,
      promptId: promptId ?? null,
      text: prepared.prompt ?? "",
      machine: isMachine,
      occurredAt,
    });
  }
  if ("inserted" in target || event === "prompt") settle(store, session);
  const isEnd = endEvents.has(event);
  const turn = "existing" in target ? target.existing : target.inserted;
  return { id, closedAs: isEnd ? (turn.outcome ?? undefined) : undefined };
}

const endEvents = new Set<AgentEvent>(["turn.ended", "turn.failed", "turn.interrupted", "session.ended"]);

/** Number of turns to check per session; older ones were settled earlier. */
const maxUnsettled = 100;

function settle(store: Store, { id, status, statusAt }: SessionRow): void {
  const endedAt = status === "ended" ? statusAt : undefined;
  const outlines = store.turns.listOutlines(id, maxUnsettled);
  for (const turn of settleTurns(outlines, endedAt)) store.turns.settle(turn.id, turn.outcome, turn.endedAt);
}

function announce(
  incoming: IncomingEvent,
  session: SessionRow,
  agent: AgentRow,
  { turnClosedAs, wasEnded }: { turnClosedAs: string | undefined; wasEnded: boolean },
): BusEvent[] {
  const { event } = incoming.prepared;
  const who = { sessionId: session.id, agent: agent.name };
  const busEvents: BusEvent[] = [{ type: "event.stored", id: incoming.id, event, ...who }];
  if (event === "session.started")
    busEvents.push({ type: "session.started", ...who, project: agent.projectName, source: session.source });
  if (turnClosedAs) busEvents.push({ type: "turn.ended", ...who, outcome: turnClosedAs });
  if (event === "session.ended" && !wasEnded)
    busEvents.push({ type: "session.completed", ...who, reason: session.endReason ?? "other" });
  return busEvents;
}
