import {
  canAfford,
  type DailyBudget,
  type Estimate,
  reserveTokens,
} from "../../domain/memory/model-budget.ts";
import { makeBreaker } from "../../model/breaker.ts";
import { costOf, type Price } from "../../model/prices.ts";
import type { CallFailure, Usage } from "../../model/provider.ts";
import type { Clock } from "../../shared/clock.ts";
import { makeId } from "../../shared/ids.ts";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";

/** The parts of a call's result that determine its cost. */
type CallResult = { outcome: "answered" | "refused" | "truncated"; usage: Usage | undefined } | CallFailure;

/** A call, and the writes that are committed with it. */
export interface MeteredCall<Result extends CallResult> {
  turnId: string | null;
  projectId: string | null;
  /** The texts to send; their size is the basis of the reservation. */
  texts: readonly string[];
  maxOutputTokens: number;
  /** Overrides the timeout of other calls. */
  timeoutMs?: number;
  send(signal: AbortSignal, maxUsd: number | undefined): Promise<Result>;
  /** Runs in the commit that reserves the budget. */
  onReserved?(): void;
  /** Runs in the commit that settles the call. Returns the outcome for the ledger: `kept` if something was stored. */
  onSettled(result: Result | CallFailure): string;
}

export interface Settlement {
  outcome: string;
  inputTokens: number;
  outputTokens: number;
  usd: number | null;
}

/** Calls of one remote model within a budget: every call is in the ledger before it is made. */
export interface MeteredCalls {
  /** `spent` if today's budget does not allow it: no call was made. */
  call<Result extends CallResult>(
    plan: MeteredCall<Result>,
    signal: AbortSignal,
  ): Promise<Settlement | "spent">;
  /** The time until which no call should be made, and why; 0 if calls are allowed. */
  getBlock(): { until: number; why: string };
  getToday(): { calls: number; tokens: number; usd: number };
  isSpent(): boolean;
}

export interface MeteredCallsDeps {
  store: Store;
  log: Log;
  clock: Clock;
  /** The calendar day of a time, in the user's time zone. */
  dayOf(ms: number): string;
  providerName: string;
  model: string;
  price: Price | undefined;
  /** Calls are recorded, but use no budget. */
  isFree?: boolean;
  budget: DailyBudget;
  timeoutMs: number;
}

/** A wrong key or an unknown model is not fixed within minutes. */
const hopelessPauseMs = 3_600_000;

export function openMeteredCalls(deps: MeteredCallsDeps): MeteredCalls {
  const { store, log, clock, price, budget, isFree = false } = deps;
  const breaker = makeBreaker();
  const today = (): string => deps.dayOf(clock());
  let lastTrouble = "";
  let spentOn = "";

  async function call<Result extends CallResult>(
    plan: MeteredCall<Result>,
    signal: AbortSignal,
  ): Promise<Settlement | "spent"> {
    const inputTokens = reserveTokens(...plan.texts);
    const estimate: Estimate = {
      inputTokens,
      outputTokens: plan.maxOutputTokens,
      usd: costOf(price, inputTokens, plan.maxOutputTokens),
    };
    const day = today();
    if (!isFree && !canAfford(budget, store.modelCalls.sumSpentOn(day), estimate)) {
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
        isFree,
        ...estimate,
        usd: estimate.usd ?? null,
      });
      plan.onReserved?.();
    });
    const result = await plan
      .send(withDeadline(signal, plan.timeoutMs ?? deps.timeoutMs), estimate.usd || undefined)
      .catch((error: unknown): CallFailure => {
        log.error("a model provider failed", { provider: deps.providerName, error });
        return { outcome: "lost", detail: "the provider failed" };
      });
    return store.db.transaction(() => {
      const outcome = plan.onSettled(result);
      const settlement = { outcome, ...measure(result, estimate) };
      store.modelCalls.settle(id, { ...settlement, endedAt: clock() });
      if (!signal.aborted) watch(result, outcome, plan.texts.length);
      return settlement;
    });
  }

  /** The cost: as the provider reports it; zero if the call was rejected; the full estimate if unknown. */
  function measure(result: CallResult, estimate: Estimate): Omit<Settlement, "outcome"> {
    if (result.outcome === "rejected") return { inputTokens: 0, outputTokens: 0, usd: 0 };
    const usage = result.outcome === "lost" ? undefined : result.usage;
    if (!usage) return { ...estimate, usd: estimate.usd ?? null };
    const { inputTokens, outputTokens } = usage;
    // A price that the user configured overrides the provider's figure.
    const usd = costOf(price, inputTokens, outputTokens) ?? usage.usd ?? null;
    return { inputTokens, outputTokens, usd };
  }

  function watch(result: CallResult, outcome: string, texts: number): void {
    if (outcome === "kept") {
      breaker.recordSuccess();
      return;
    }
    // A refusal for one turn says nothing about the next.
    if (result.outcome === "refused" || outcome === "overtaken") return;
    // Several texts: the caller tries them in smaller groups.
    if (result.outcome === "rejected" && result.why === "input" && texts > 1) return;
    breaker.recordFailure();
    lastTrouble = result.outcome;
    if (result.outcome === "rejected") {
      const { why, detail, retryAfterMs } = result;
      lastTrouble = `${why}: ${detail}`;
      if (why === "denied" || why === "unfit") breaker.pause(hopelessPauseMs);
      if (retryAfterMs !== undefined) breaker.pause(retryAfterMs);
    } else if (result.outcome === "lost") lastTrouble = result.detail;
    else if (result.outcome === "answered") lastTrouble = "its answers are not in the requested format";
    log.warn("a model call was not usable", { provider: deps.providerName, outcome, why: lastTrouble });
  }

  return {
    call,
    getBlock() {
      const forMs = breaker.blockedMs();
      const until = forMs > 0 ? Math.ceil(clock() + forMs) : 0;
      return { until, why: until ? lastTrouble : "" };
    },
    getToday: () => store.modelCalls.sumSpentOn(today()),
    isSpent: () => spentOn === today(),
  };
}

function withDeadline(signal: AbortSignal, timeoutMs: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
}
