import { answerJsonSchema } from "../../domain/memory/model-answer.ts";
import type { ModelPrompt } from "../../domain/memory/model-prompt.ts";
import type { CallFailure, Completion, Provider } from "../../model/provider.ts";
import {
  type MeteredCall,
  type MeteredCalls,
  type MeteredCallsDeps,
  openMeteredCalls,
  type Settlement,
} from "./metered-calls.ts";

/** A call, and the writes that are committed with it. */
interface CallPlan extends Pick<MeteredCall<Completion>, "turnId" | "projectId" | "onReserved"> {
  prompt: ModelPrompt;
  /** Runs in the commit that settles the call. Returns the outcome for the ledger: `kept` if something was stored. */
  onSettled(completion: Completion | CallFailure): string;
}

/** The model that writes notes, called within a budget. */
export interface ModelCaller extends Omit<MeteredCalls, "call"> {
  /** `spent` if today's budget does not allow it: no call was made. */
  call(plan: CallPlan, signal: AbortSignal): Promise<Settlement | "spent">;
}

interface ModelCallerDeps extends MeteredCallsDeps {
  provider(): Promise<Provider>;
  outputTokens: number;
}

export function openModelCaller(deps: ModelCallerDeps): ModelCaller {
  const { outputTokens: maxOutputTokens } = deps;
  const calls = openMeteredCalls(deps);
  return {
    ...calls,
    async call({ prompt, ...plan }, signal) {
      const { system, user } = prompt;
      const provider = await deps.provider();
      const request = { system, user, schema: answerJsonSchema, maxOutputTokens };
      return calls.call(
        {
          ...plan,
          texts: [system, user],
          maxOutputTokens,
          send: (callSignal, maxUsd) => provider.complete({ ...request, maxUsd }, callSignal),
        },
        signal,
      );
    },
  };
}
