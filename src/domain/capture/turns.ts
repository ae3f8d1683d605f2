import type { AgentEvent } from "../../protocol/agent-events.ts";

export interface Turn {
  promptId: string | null;
  originKind: "human" | "machine" | "unseen";
  outcome: "completed" | "failed" | "interrupted" | "abandoned" | null;
  lastAssistantMessage: string | null;
  startedAt: number;
  endedAt: number | null;
}

export interface TurnEvent {
  event: AgentEvent;
  promptId: string | undefined;
  /** For a prompt: whether the host wrote it, not the person. */
  isMachine: boolean;
  lastAssistantMessage: string | undefined;
  occurredAt: number;
}

/** The effect of an event on the turns of its session. `Existing` is the caller's type of a turn row. */
interface TurnUpdate<Existing extends Turn> {
  /** The turn that the event belongs to: an existing one, one to insert, or none. */
  belongsTo: { existing: Existing } | { inserted: Turn } | undefined;
  /** Changed rows to write back. */
  updates: Existing[];
}

/** Only these events prove that work is in progress, so only these may open a turn without a prompt. */
const workEvents = new Set<AgentEvent>([
  "tool.before",
  "permission",
  "tool.after",
  "tool.failed",
  "subagent.started",
]);

/**
 * Events may arrive late and out of order (they wait in the spool while the daemon is down), so the host's prompt id
 * takes precedence, and the open turn is only the fallback. `named` is the turn of the fact's prompt id, `open` the
 * one that has not ended.
 */
export function advanceTurn<T extends Turn>(
  fact: TurnEvent,
  open: T | undefined,
  named: T | undefined,
): TurnUpdate<T> {
  switch (fact.event) {
    case "prompt":
      return advanceOnPrompt(fact, open, named);
    case "turn.ended":
      return close(fact, named ?? ignoreIfOther(open, fact), "completed");
    case "turn.failed":
      return close(fact, named ?? ignoreIfOther(open, fact), "failed");
    case "turn.interrupted":
      return close(fact, named ?? ignoreIfOther(open, fact), "interrupted");
    case "session.ended":
      return close(fact, open, "abandoned");
    default:
      return attach(fact, open, named);
  }
}

function advanceOnPrompt<T extends Turn>(
  fact: TurnEvent,
  open: T | undefined,
  named: T | undefined,
): TurnUpdate<T> {
  const { isMachine: machine } = fact;
  if (named) {
    if (named.originKind !== "unseen") return { belongsTo: { existing: named }, updates: [] };
    const startedAt = Math.min(named.startedAt, fact.occurredAt);
    const seen: T = { ...named, originKind: machine ? "machine" : "human", startedAt };
    return { belongsTo: { existing: seen }, updates: [seen] };
  }
  if (machine && open) return { belongsTo: { existing: open }, updates: [] };
  return { belongsTo: { inserted: makeTurn(fact, machine ? "machine" : "human") }, updates: [] };
}

function attach<T extends Turn>(fact: TurnEvent, open: T | undefined, named: T | undefined): TurnUpdate<T> {
  if (named) return { belongsTo: { existing: named }, updates: [] };
  if (!fact.promptId) {
    const isWithin = open !== undefined && open.startedAt <= fact.occurredAt;
    return { belongsTo: isWithin ? { existing: open } : undefined, updates: [] };
  }
  if (!workEvents.has(fact.event)) return { belongsTo: undefined, updates: [] };
  return { belongsTo: { inserted: makeTurn(fact, "unseen") }, updates: [] };
}

function close<T extends Turn>(
  fact: TurnEvent,
  turn: T | undefined,
  outcome: NonNullable<Turn["outcome"]>,
): TurnUpdate<T> {
  if (!turn) {
    if (!fact.promptId || outcome === "abandoned") return { belongsTo: undefined, updates: [] };
    const inserted = { ...makeTurn(fact, "unseen"), outcome, endedAt: fact.occurredAt };
    return {
      belongsTo: { inserted: { ...inserted, lastAssistantMessage: fact.lastAssistantMessage ?? null } },
      updates: [],
    };
  }
  const closed: T = {
    ...turn,
    outcome,
    endedAt: Math.max(turn.startedAt, fact.occurredAt),
    lastAssistantMessage: fact.lastAssistantMessage ?? turn.lastAssistantMessage,
  };
  return { belongsTo: { existing: closed }, updates: [closed] };
}

/** An end event that names another prompt, not seen yet, does not end this turn. */
function ignoreIfOther<T extends Turn>(open: T | undefined, fact: TurnEvent): T | undefined {
  return open?.promptId && fact.promptId && open.promptId !== fact.promptId ? undefined : open;
}

/**
 * Settles turns whose own end event is missing: a later prompt interrupted the turn (Esc fires no event), or the end
 * of the session abandoned the last one. Uses only times, so that the order of arrival does not matter. Returns the
 * changed rows.
 */
export function settleTurns<T extends Turn>(turns: readonly T[], sessionEndedAt: number | undefined): T[] {
  const inOrder = turns.toSorted((a, b) => a.startedAt - b.startedAt);
  return inOrder.flatMap((turn, index): T[] => {
    if (turn.outcome === "completed" || turn.outcome === "failed") return [];
    const nextAt = inOrder[index + 1]?.startedAt;
    const endedAt = turn.endedAt ?? Number.POSITIVE_INFINITY;
    if (nextAt !== undefined && nextAt < endedAt)
      return [{ ...turn, outcome: "interrupted", endedAt: nextAt }];
    if (turn.outcome !== null || sessionEndedAt === undefined || sessionEndedAt < turn.startedAt) return [];
    return [{ ...turn, outcome: "abandoned", endedAt: sessionEndedAt }];
  });
}

function makeTurn(fact: TurnEvent, originKind: Turn["originKind"]): Turn {
  return {
    promptId: fact.promptId ?? null,
    originKind,
    outcome: null,
    lastAssistantMessage: null,
    startedAt: fact.occurredAt,
    endedAt: null,
  };
}
