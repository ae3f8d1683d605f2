import { isDue, type InjectedSession } from "../../domain/delivery/due.ts";
import { fenceDeliveries } from "../../domain/delivery/fence.ts";
import { redactText } from "../../redact/redact-text.ts";
import type { BusEvent } from "../../protocol/bus-events.ts";
import { AppError } from "../../shared/errors.ts";
import { makeId } from "../../shared/ids.ts";
import { findNearest } from "../../shared/find-nearest.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { DeliveryRow } from "../../store/deliveries.ts";
import type { DaemonContext } from "../runtime/context.ts";
import type { Contribution, HookMoment } from "../capture/hook-reply.ts";
import { runLogged, repeat } from "../runtime/repeat.ts";
import { isLive } from "../identity/seats.ts";
import type { AgentEvent } from "../../protocol/agent-events.ts";
import { scanTranscript, transcriptSize } from "./transcript-scan.ts";

interface NewDelivery {
  to: string;
  kind: string;
  sender: string;
  source: string;
  body: string;
}

/** The durable queue of messages to agents: queued, then injected by a hook, then confirmed by the transcript. */
export interface Deliveries {
  queue(outgoing: NewDelivery): DeliveryRow;
  /** A hook contributor: the text to inject at this moment. Runs inside the transaction of the event. */
  contribute(moment: HookMoment, nowMs: number, room: number): Contribution | undefined;
  /** Searches the transcripts for injected deliveries. */
  confirm(): void;
  acknowledge(id: string): DeliveryRow;
  start(): void;
  stop(): void;
}

const injectionPoints = new Set<AgentEvent>(["session.started", "prompt", "tool.after"]);
/** Delays of the rescans; the host writes to a transcript about 50 ms after the event. */
const rescanMs = [150, 2_000];
const idleScanMs = 15_000;

export function openDeliveries({ store, bus, log, clock, config }: DaemonContext): Deliveries {
  const { characters } = config.delivery;
  const timers = new Set<NodeJS.Timeout>();
  /** When the transcript last grew, by the id of an unconfirmed delivery. */
  const lastGrowth = new Map<string, number | undefined>();
  let unsubscribe = (): void => {};
  let idle: { stop(): void } | undefined;

  function requireAgent(name: string): AgentRow {
    const agent = store.agents.byName(name);
    if (agent) return agent;
    const guess = findNearest(
      name,
      store.agents.all().map((known) => known.name),
    );
    throw new AppError(
      "agent_not_found",
      `There is no agent ${name}.${guess ? ` Did you mean ${guess}?` : ""}`,
    );
  }

  function contribute(moment: HookMoment, nowMs: number, room: number): Contribution | undefined {
    // A subagent works on one task of its parent: mail is for the parent.
    if (!injectionPoints.has(moment.event) || moment.subagentId !== null) return undefined;
    const due = store.deliveries
      .openFor(moment.agent.id)
      .filter((row) => isDue(row, findLastSession(row, nowMs), nowMs));
    if (due.length === 0) return undefined;
    const { text, taken } = fenceDeliveries(due, Math.min(characters, room));
    if (taken.length === 0) return undefined;
    const { id: sessionId, transcriptPath } = moment.session;
    const transcriptOffset = transcriptSize(transcriptPath);
    const busEvents = taken.map((row): BusEvent => {
      store.deliveries.markInjected(row.id, {
        sessionId,
        injectionPoint: moment.event,
        transcriptPath,
        transcriptOffset,
        injectedAt: nowMs,
      });
      lastGrowth.delete(row.id);
      return {
        type: "delivery.injected",
        deliveryId: row.id,
        agent: moment.agent.name,
        sessionId,
        point: moment.event,
      };
    });
    return { context: text, busEvents };
  }

  function findLastSession(row: DeliveryRow, nowMs: number): InjectedSession | undefined {
    const session = row.sessionId === null ? undefined : store.sessions.byId(row.sessionId);
    return session && { isLive: isLive(session, nowMs), transcriptGrewAt: lastGrowth.get(row.id) };
  }

  function confirm(): void {
    for (const row of store.deliveries.injected()) {
      if (row.transcriptPath === null) continue;
      const scan = scanTranscript(row.transcriptPath, row.id, row.transcriptOffset ?? 0);
      if (scan?.found) markConfirmed(row, "transcript");
      else if (scan) {
        if (scan.nextOffset !== row.transcriptOffset) store.deliveries.markScanned(row.id, scan.nextOffset);
        if (scan.complete) lastGrowth.set(row.id, scan.grewAt);
      }
    }
  }

  function markConfirmed(row: DeliveryRow, by: "transcript" | "tool"): void {
    lastGrowth.delete(row.id);
    if (!store.deliveries.markConfirmed(row.id, by, clock())) return;
    const agent = store.agents.byId(row.agentId)?.name ?? "";
    bus.publish({ type: "delivery.confirmed", deliveryId: row.id, agent, by });
  }

  function confirmLater(delaysMs: readonly number[]): void {
    for (const delay of delaysMs) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        runLogged(confirm, log);
      }, delay);
      timers.add(timer.unref());
    }
  }

  return {
    queue(outgoing) {
      const agent = requireAgent(outgoing.to);
      const { kind } = outgoing;
      const sender = redactText(outgoing.sender).text;
      const source = redactText(outgoing.source).text;
      const body = redactText(outgoing.body).text;
      const id = makeId(clock());
      store.deliveries.queue({ id, agentId: agent.id, kind, sender, source, body, createdAt: clock() });
      bus.publish({ type: "delivery.queued", deliveryId: id, agent: agent.name, sender });
      return store.deliveries.byId(id) as DeliveryRow;
    },
    contribute,
    confirm,
    acknowledge(id) {
      const row = store.deliveries.byId(id);
      if (!row) throw new AppError("delivery_not_found", `There is no delivery ${id}.`);
      markConfirmed(row, "tool");
      return store.deliveries.byId(id) as DeliveryRow;
    },
    start() {
      runLogged(confirm, log);
      unsubscribe = bus.subscribe(({ event }) => {
        if (event.type === "delivery.injected") confirmLater(rescanMs);
        if (event.type === "turn.ended" || event.type === "session.completed") confirmLater(rescanMs);
      });
      idle = repeat(idleScanMs, confirm, log);
    },
    stop() {
      unsubscribe();
      idle?.stop();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
