import { readModelAnswer } from "../../domain/memory/model-answer.ts";
import type { ModelCandidate } from "../../domain/memory/model-candidates.ts";
import { makeModelPrompt } from "../../domain/memory/model-prompt.ts";
import type { TrialView } from "../../protocol/model.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Completion } from "../../model/provider.ts";
import type { ModelCaller } from "./model-caller.ts";

const text = "From now on use tabs in Makefiles.";
/** A minimal made-up turn. */
const candidates: ModelCandidate[] = [
  {
    id: 1,
    place: "user",
    heading: "",
    text,
    note: {
      type: "preference",
      title: text,
      narrative: text,
      facts: [],
      concepts: [],
      filesRead: [],
      filesModified: [],
      sourceEvents: [],
      provenance: "distil",
    },
  },
];
const sample = makeModelPrompt(candidates, "trial");

/**
 * Makes one real call to verify that the model can be reached and answers in the right format. It is recorded in the
 * ledger like any other.
 */
export async function tryModel(
  caller: ModelCaller,
  clock: Clock,
): Promise<Omit<TrialView, "provider" | "model">> {
  const startedAt = clock();
  let answer: Completion | undefined;
  const settlement = await caller.call(
    {
      turnId: null,
      projectId: null,
      prompt: sample,
      onReserved() {},
      onSettled(completion) {
        answer = completion;
        if (completion.outcome !== "answered") return completion.outcome;
        return readModelAnswer(completion.text, candidates) ? "kept" : "invalid";
      },
    },
    new AbortController().signal,
  );
  if (settlement === "spent") throw new AppError("model_failed", "Today's budget does not allow a call.");
  if (settlement.outcome !== "kept") throw new AppError("model_failed", describe(settlement.outcome, answer));
  return { ...settlement, ms: clock() - startedAt };
}

function describe(outcome: string, answer: Completion | undefined): string {
  if (answer?.outcome === "rejected")
    return `The model could not be called (${answer.why}: ${answer.detail}).`;
  if (answer?.outcome === "lost") return `The model did not answer: ${answer.detail}.`;
  return outcome === "invalid"
    ? "The model answered, but not with the requested JSON."
    : `The answer was ${outcome}.`;
}
