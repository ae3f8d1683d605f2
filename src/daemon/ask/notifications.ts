import type { Notice } from "../../domain/ask/card.ts";
import {
  minFailuresInARow,
  makeDoneNotice,
  makeFailedNotice,
  makeIdleNotice,
  makeNeedsInputNotice,
  makeStuckNotice,
} from "../../domain/ask/notices.ts";
import type { Asker } from "../../domain/ask/question.ts";
import type { AgentEvent } from "../../protocol/agent-events.ts";
import { parseJson } from "../../shared/json.ts";
import type { EventRow } from "../../store/events.ts";
import type { Questions } from "./questions.ts";
import type { Reach } from "./reach.ts";
import type { DaemonContext } from "../runtime/context.ts";

interface Notifications {
  start(): void;
  stop(): void;
}

interface NotificationDeps extends Pick<DaemonContext, "store" | "bus" | "clock"> {
  questions: Pick<Questions, "listOpen">;
  reach: Pick<Reach, "notify">;
  /** Shorter turns send no notification when they end. */
  doneAfterMs: number;
}

/** Events spooled while the daemon was down are too old to notify about. */
const freshMs = 600_000;

/** Turns session events into notifications for the person. Receives committed events only. */
export function openNotifications(deps: NotificationDeps): Notifications {
  const { store, bus, clock, questions, reach, doneAfterMs } = deps;
  const failures = new Map<string, number>();
  /** Sessions for which the end of the last turn was reported: their idle event needs no notification. */
  const notified = new Set<string>();
  let unsubscribe = (): void => {};

  type Maker = (event: EventRow, payload: Record<string, unknown>, asker: Asker) => Notice | undefined;

  const makers: Partial<Record<AgentEvent, Maker>> = {
    prompt({ id, sessionId }) {
      if (!store.turns.isHumanPrompt(id)) return undefined;
      notified.delete(sessionId);
      failures.delete(sessionId);
      return undefined;
    },
    "turn.ended"(event, { last_assistant_message: lastMessage }, asker) {
      failures.delete(event.sessionId);
      const [turn] = store.turns.listOutlines(event.sessionId, 1);
      if (!turn || turn.id !== event.turnId) return undefined;
      const durationMs = event.occurredAt - turn.startedAt;
      if (durationMs < doneAfterMs) return undefined;
      notified.add(event.sessionId);
      const filesChanged = store.events.filesEdited(event.sessionId, turn.startedAt);
      return makeDoneNotice(asker, { lastMessage: textOf(lastMessage), filesChanged, durationMs });
    },
    "turn.failed"({ sessionId }, { error, last_assistant_message: lastMessage }, asker) {
      notified.add(sessionId);
      return makeFailedNotice(asker, textOf(error) ?? "", textOf(lastMessage));
    },
    "tool.failed"(event, { error }, asker) {
      const count = (failures.get(event.sessionId) ?? 0) + 1;
      failures.set(event.sessionId, count);
      return count === minFailuresInARow
        ? makeStuckNotice(asker, event.toolName ?? "a tool", textOf(error) ?? "")
        : undefined;
    },
    "session.idle"({ sessionId }, { message }, asker) {
      return notified.has(sessionId) ? undefined : makeIdleNotice(asker, textOf(message) ?? "");
    },
    "input.needed"({ sessionId }, { message }, asker) {
      // An open card makes a second message redundant.
      const isAsked = questions.listOpen().some((question) => question.sessionId === sessionId);
      return isAsked ? undefined : makeNeedsInputNotice(asker, textOf(message) ?? "");
    },
    "session.ended"({ sessionId }) {
      notified.delete(sessionId);
      failures.delete(sessionId);
      return undefined;
    },
  };

  function onEvent(eventId: string, name: AgentEvent, sessionId: string, agentName: string): void {
    // The most frequent event; it only means that a tool call succeeded.
    if (name === "tool.after") failures.delete(sessionId);
    const make = makers[name];
    const event = make && store.events.byId(eventId);
    if (!make || !event || clock() - event.occurredAt > freshMs) return;
    const payload = parseJson(event.payload) as Record<string, unknown>;
    const project = store.agents.byName(agentName)?.projectName ?? "";
    const subagent = textOf(payload.agent_type) ?? event.subagentId;
    const notice = make(event, payload, { project, agent: agentName, sessionId, subagent });
    if (notice) reach.notify(notice);
  }

  return {
    start() {
      unsubscribe = bus.subscribe(({ event }) => {
        if (event.type === "event.stored") onEvent(event.id, event.event, event.sessionId, event.agent);
      });
    },
    stop: () => unsubscribe(),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
