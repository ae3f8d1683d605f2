import { filesModified, filesRead } from "../../domain/memory/distil/files.ts";
import { makeModelPrompt } from "../../domain/memory/model-prompt.ts";
import type { AssembledTurn } from "./assemble-turn.ts";
import type { PreparedTurn } from "./model-distilling.ts";

/** A turn in the form for a model: small, so that passing it between threads is cheap. */
export function prepareForModel(turn: AssembledTurn, project: string): PreparedTurn {
  const { turnId, sessionId, cwd, endedAt, promptNumber, promptEventId, record } = turn;
  return {
    place: { turnId, sessionId, cwd, at: endedAt, promptNumber },
    promptEventId,
    prompt: makeModelPrompt(record, project),
    files: { read: filesRead(record.steps), modified: filesModified(record.steps) },
  };
}
