import type { Scorer } from "../../domain/memory/distil/scorer.ts";
import { chooseCandidates } from "../../domain/memory/model-candidates.ts";
import { makeModelPrompt } from "../../domain/memory/model-prompt.ts";
import type { AssembledTurn } from "./assemble-turn.ts";
import type { PreparedTurn } from "./model-distiller.ts";

/** A turn in the form for a model: small, so that passing it between threads is cheap. */
export function prepareForModel(turn: AssembledTurn, project: string, scorer: Scorer): PreparedTurn {
  const { turnId, sessionId, cwd, endedAt, promptNumber, promptEventId, record, previousFinal } = turn;
  const candidates = chooseCandidates(record, scorer(record, previousFinal), promptEventId);
  return {
    place: { turnId, sessionId, cwd, at: endedAt, promptNumber },
    prompt: makeModelPrompt(candidates, project),
    candidates,
  };
}
