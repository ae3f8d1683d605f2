import { answerJsonSchema } from "../../domain/memory/model-answer.ts";
import {
  canAfford,
  type DailyBudget,
  type Estimate,
  reserveTokens,
} from "../../domain/memory/model-budget.ts";
import type { ModelPrompt } from "../../domain/memory/model-prompt.ts";
import { makeBreaker } from "../../model/breaker.ts";
import { costOf, type Price } from "../../model/prices.ts";
import type { Completion, Provider } from "../../model/provider.ts";
import type { Clock } from "../../shared/clock.ts";
import { makeId } from "../../shared/ids.ts";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";

/** A call, and the writes that are committed with it. */
export interface CallPlan {
  turnId: string | null;
  projectId: string | null;
  prompt: ModelPrompt;
  /** Runs in the commit that reserves the budget. */
  reserved(): void;
  /** Runs in the commit that settles the call. Returns the outcome for the ledger: `kept` if something was stored. */
  settled(completion: Completion): string;
}

export interface Settlement {
  outcome: string;
  inputTokens: number;
  outputTokens: number;
  usd: number | null;
}

/** One model, called within a budget: every call is in the ledger before it is made. */
export interface ModelCalling {
  /** `spent` if today's budget does not allow it: no call was made. */
  call(plan: CallPlan, signal: AbortSignal): Promise<Settlement | "spent">;
  /** The time until which no call should be made, and why; 0 if calls are allowed. */
  blocked(): { until: number; why: string };
  today(): { calls: number; tokens: number; usd: number };
  isSpent(): boolean;
}

export interface ModelCallingDeps {
  store: Store;
  log: Log;
  clock: Clock;
  /** The calendar day of a time, in the user's time zone. */
  dayOf(ms: number): string;
  provider(): Promise<Provider>;
  providerName: string;
  model: string;
  price: Price | undefined;
  budget: DailyBudget;
  outputTokens: number;
  timeoutMs: number;
}

/** A wrong key or an unknown model is not fixed within minutes. */
const hopelessPauseMs = 3_600_000;

export function openModelCalling(deps: ModelCallingDeps): ModelCalling {
  const { store, log, clock, price, budget } = deps;
  const breaker = makeBreaker(clock);
  const today = (): string => deps.dayOf(clock());
  let lastTrouble = "";
  let spentOn = "";

  async function call(plan: CallPlan, signal: AbortSignal): Promise<Settlement | "spent"> {
    const provider = await deps.provider();
    const { system, user } = plan.prompt;
    const inputTokens = reserveTokens(system, user);
    const estimate: Estimate = {
      inputTokens,
      outputTokens: deps.outputTokens,
      usd: costOf(price, inputTokens, deps.outputTokens),
    };
    const day = today();
    if (!canAfford(budget, store.modelCalls.spentOn(day), estimate)) {
      spentOn = day;
      return "spent";
    }
    const id = makeId(clock());
    store.db.transaction(() => {
      store.modelCalls.reserve({
        id,
        turnId: plan.turnId,
        projectId: plan.projectId,
        provider: deps.providerName,
        model: deps.model,
        day,
        startedAt: clock(),
        ...estimate,
        usd: estimate.usd ?? null,
      });
      plan.reserved();
    });
    const request = { system, user, schema: answerJsonSchema, maxOutputTokens: deps.outputTokens };
    const completion = await provider
      .complete({ ...request, maxUsd: estimate.usd || undefined }, withDeadline(signal, deps.timeoutMs))
      .catch((error: unknown): Completion => {
        log.error("a model provider failed", { provider: deps.providerName, error });
        return { outcome: "lost", detail: "the provider failed" };
      });
    return store.db.transaction(() => {
      const outcome = plan.settled(completion);
      const settlement = { outcome, ...measure(completion, estimate) };
      store.modelCalls.settle(id, { ...settlement, endedAt: clock() });
      if (!signal.aborted) watch(completion, outcome);
      return settlement;
    });
  }

  /** The cost: as the provider reports it; zero if the call was rejected; the full estimate if unknown. */
  function measure(completion: Completion, estimate: Estimate): Omit<Settlement, "outcome"> {
    if (completion.outcome === "rejected") return { inputTokens: 0, outputTokens: 0, usd: 0 };
    const usage = completion.outcome === "lost" ? undefined : completion.usage;
    if (!usage) return { ...estimate, usd: estimate.usd ?? null };
    const { inputTokens, outputTokens } = usage;
    // A price that the user configured overrides the provider's figure.
    const usd = costOf(price, inputTokens, outputTokens) ?? usage.usd ?? null;
    return { inputTokens, outputTokens, usd };
  }

  function watch(completion: Completion, outcome: string): void {
    if (outcome === "kept") {
      breaker.succeeded();
      return;
    }
    // A refusal for one turn says nothing about the next.
    if (completion.outcome === "refused" || outcome === "overtaken") return;
    breaker.failed();
    lastTrouble = completion.outcome;
    if (completion.outcome === "rejected") {
      const { why, detail, retryAfterMs } = completion;
      lastTrouble = `${why}: ${detail}`;
      if (why === "denied" || why === "unfit") breaker.pause(hopelessPauseMs);
      if (retryAfterMs !== undefined) breaker.pause(retryAfterMs);
    } else if (completion.outcome === "lost") lastTrouble = completion.detail;
    else if (completion.outcome === "answered") lastTrouble = "its answers are not in the requested format";
    log.warn("a model call was not usable", { provider: deps.providerName, outcome, why: lastTrouble });
  }

  return {
    call,
    blocked() {
      const until = breaker.blockedUntil();
      return { until, why: until ? lastTrouble : "" };
    },
    today: () => store.modelCalls.spentOn(today()),
    isSpent: () => spentOn === today(),
  };
}

function withDeadline(signal: AbortSignal, timeoutMs: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
}
