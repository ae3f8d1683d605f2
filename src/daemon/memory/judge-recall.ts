import { isContradicted, wasUsed } from "../../domain/memory/recall.ts";
import type { Step } from "../../domain/memory/turn-record.ts";
import type { Showing } from "../../store/recall-outcomes.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import type { AssembledTurn } from "./assemble-turn.ts";

interface ShownNote {
  ref: string;
  text: string;
}

/**
 * What came of the notes that were shown at the prompt of a turn that has ended, and whether its prompt objects to those
 * of the turn before.
 */
export function judgeRecall(
  db: Database,
  { sessionId, promptEventId, startedAt, record }: AssembledTurn,
): Showing[] {
  const answer = [record.final, ...record.steps.map(textOf)].join("\n");
  const shown = listShown(db, promptEventId).map(
    ({ ref, text }): Showing => ({ ref, used: wasUsed(text, record.prompt, answer) ? 1 : 0 }),
  );
  if (record.isMachine) return shown;
  const before = db.get<{ eventId: string }>(
    `SELECT event_id AS eventId FROM prompts WHERE session_id = ? AND occurred_at < ? AND machine = 0
     ORDER BY occurred_at DESC LIMIT 1`,
    sessionId,
    startedAt,
  );
  const objected = (before ? listShown(db, before.eventId) : []).filter(({ text }) =>
    isContradicted(text, record.prompt),
  );
  return [...shown, ...objected.map(({ ref }): Showing => ({ ref, used: -1 }))];
}

function listShown(db: Database, promptEventId: string): ShownNote[] {
  return db.all<ShownNote>(
    `SELECT o.id AS ref, o.title || ' ' || o.narrative AS text FROM injections i JOIN observations o ON o.id = i.ref
     WHERE i.event_id = ? AND i.kind = 'observation' AND i.point = 'UserPromptSubmit'`,
    promptEventId,
  );
}

/** What the agent said or did; not what a tool printed, which it did not choose. */
function textOf(step: Step): string {
  if (step.kind === "say") return step.text;
  return step.kind === "tool" ? JSON.stringify(step.input) : "";
}
