import type { Distilled, TurnRecord, TurnSummary } from "../turn-record.ts";
import { listWords } from "../words.ts";
import { distilAnswers } from "./answers.ts";
import { distilGotcha } from "./gotchas.ts";
import { distilOutcome } from "./outcome.ts";
import { distilRules } from "./rules-of-the-user.ts";
import { summariseTurn } from "./summary.ts";

/**
 * What is worth remembering of a turn, without a model: the user's rules in the user's words, their answers and refusals,
 * and what was changed or found out in the agent's words. The agent's last message usually *is* the explanation.
 */
export function distilTurn(
  turn: TurnRecord,
  promptEventId: string,
): { observations: Distilled[]; summary: TurnSummary | undefined } {
  const main = distilOutcome(turn);
  const observations = mergeAlike([
    ...(turn.isMachine ? [] : distilRules(turn.prompt, [promptEventId])),
    ...distilAnswers(turn.steps),
    ...(main ? [main] : []),
    ...[distilGotcha(turn, main)].filter((gotcha) => gotcha !== undefined),
  ]);
  return { observations, summary: summariseTurn(turn, observations) };
}

/** Two notes that say nearly the same are one: the longer stays, of the more personal kind. */
function mergeAlike(notes: Distilled[]): Distilled[] {
  return notes.filter((note, index) => !notes.some((other, place) => place < index && alike(note, other)));
}

export function alike(a: Pick<Distilled, "narrative">, b: Pick<Distilled, "narrative">): boolean {
  const [left, right] = [new Set(listWords(a.narrative)), new Set(listWords(b.narrative))];
  const common = [...left].filter((word) => right.has(word)).length;
  return common / Math.max(1, Math.min(left.size, right.size)) > 0.85;
}
