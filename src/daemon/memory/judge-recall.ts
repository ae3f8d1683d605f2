import { judgeNoteUse } from "../../domain/memory/note-use.ts";
import { isContradicted, wasUsed } from "../../domain/memory/recall.ts";
import type { Step } from "../../domain/memory/turn-record.ts";
import { type JudgedUse, listGiven, listOpened, listStartRows } from "../../store/note-use.ts";
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

/** Whether the turn used the notes that were recalled in it, for people. The rule is stricter than the one that ranks notes. */
export function judgeUses(db: Database, { turnId, sessionId, record }: AssembledTurn): JudgedUse[] {
  const opened = listOpened(db, sessionId, turnId);
  const outputs = record.steps.map((step) => (step.kind === "tool" ? step.output : "")).join("\n");
  const given = listGiven(db, sessionId, turnId).map(({ ref, point, text, filePath }): JudgedUse => {
    const said = [...stepsSince(record.steps, filePath).map(textOf), record.final].join("\n");
    const used = judgeNoteUse({ id: ref, text }, { prompt: record.prompt, opened, said, outputs });
    return { sessionId, ref, point, used };
  });
  const started = listStartRows(db, sessionId)
    .filter(({ ref }) => opened.some((end) => ref.endsWith(end)))
    .map(({ ref, point }): JudgedUse => ({ sessionId, ref, point, used: "opened" }));
  return [...given, ...started];
}

/** The steps from the first use of a file on: a note about it was recalled then. */
function stepsSince(steps: readonly Step[], file: string | null): readonly Step[] {
  if (file === null) return steps;
  const at = steps.findIndex((step) => step.kind === "tool" && step.file === file);
  return at < 0 ? [] : steps.slice(at);
}
