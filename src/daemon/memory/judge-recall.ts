import { isContradicted, wasUsed } from "../../domain/memory/recall.ts";
import type { Step } from "../../domain/memory/turn-record.ts";
import { listShown, previousPrompt, type RecallJudgement } from "../../store/recall-outcomes.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import type { AssembledTurn } from "./assemble-turn.ts";

/**
 * Whether the notes shown at the prompt of a finished turn were used, and whether its prompt objects to those of the
 * previous turn.
 */
export function judgeRecall(
  db: Database,
  { sessionId, promptEventId, startedAt, record }: AssembledTurn,
): RecallJudgement[] {
  const answer = [record.final, ...record.steps.map(textOf)].join("\n");
  const shown = listShown(db, promptEventId).map(
    ({ ref, text }): RecallJudgement => ({ ref, used: wasUsed(text, record.prompt, answer) ? 1 : 0 }),
  );
  if (record.isMachine) return shown;
  const before = previousPrompt(db, sessionId, startedAt);
  const objected = (before === undefined ? [] : listShown(db, before)).filter(({ text }) =>
    isContradicted(text, record.prompt),
  );
  return [...shown, ...objected.map(({ ref }): RecallJudgement => ({ ref, used: -1 }))];
}

/** The words and actions of the agent; not the output of tools. */
function textOf(step: Step): string {
  if (step.kind === "say") return step.text;
  return step.kind === "tool" ? JSON.stringify(step.input) : "";
}
