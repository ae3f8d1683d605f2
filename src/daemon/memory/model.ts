import type { ModelPromptJobs } from "./model-distiller.ts";
import type { Environment } from "../../config/environment.ts";
import type { Home } from "../../config/home.ts";
import { chooseModel, type ModelChoice } from "../../config/model-choice.ts";
import type { Config } from "../../config/schema.ts";
import type { Handlers } from "../../http/handlers.ts";
import { loadProvider, type ProviderAccess } from "../../model/load-provider.ts";
import { findPrice } from "../../model/prices.ts";
import type { Provider } from "../../model/provider.ts";
import type { modelEndpoints } from "../../protocol/endpoints/model.ts";
import type { ModelReport } from "../../protocol/model.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";
import type { Bus } from "../runtime/bus.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { announceKept } from "./keep-turn.ts";
import { type ModelCaller, openModelCaller } from "./model-caller.ts";
import { openModelChild } from "./model-child.ts";
import { type ModelDistiller, openModelDistiller } from "./model-distiller.ts";
import { tryModel } from "./model-trial.ts";
import { dayMs } from "../../shared/clock.ts";

/** The optional model that writes notes. Nothing is loaded or run unless the settings name one. */
export interface Model extends ModelDistiller {
  handlers: Handlers<typeof modelEndpoints>;
  report(): ModelReport;
}

interface ModelDeps {
  home: Home;
  environment: Environment;
  settings: Config["model"];
  store: Store;
  bus: Bus;
  log: Log;
  clock: Clock;
  /** The calendar day of a time, in the user's time zone. */
  dayOf(ms: number): string;
  worker: JobWorker<ModelPromptJobs>;
}

const idle: ModelDistiller = { offer() {}, wake() {}, start() {}, async stop() {} };

export function openModel(deps: ModelDeps): Model {
  const { settings, store, clock, dayOf } = deps;
  const budget = { tokens: settings.dailyTokens, usd: settings.dailyUsd };
  const choice = chooseModel(settings, deps.environment, deps.home.secrets);
  const isUsable = choice !== undefined && !("problem" in choice);
  const caller = isUsable ? openCaller(deps, choice) : undefined;
  const distiller = caller ? openDistiller(deps, caller) : idle;

  function report(): ModelReport {
    const blocked = caller?.getBlock() ?? { until: 0, why: "" };
    const problem = choice && "problem" in choice ? choice.problem : "";
    const verdict = judge(settings.provider === "off", problem, caller?.isSpent() ?? false, blocked);
    return {
      provider: settings.provider,
      name: isUsable ? choice.model : settings.name,
      ...verdict,
      waiting: store.modelTurns.countWaiting(),
      today: caller?.getToday() ?? store.modelCalls.sumSpentOn(dayOf(clock())),
      budget,
      price: (isUsable && findPrice(choice.provider, choice.model, settings)) || null,
    };
  }

  return {
    ...distiller,
    report,
    handlers: {
      getSpend: ({ query: { days } }) => ({
        rows: store.modelCalls.report(dayOf(clock() - (days - 1) * dayMs)),
        budget,
      }),
      async tryModel() {
        if (!caller || !isUsable) {
          const { reason } = report();
          throw new AppError("model_off", reason ? `There is no model: ${reason}.` : "No model is set up.");
        }
        return { provider: choice.provider, model: choice.model, ...(await tryModel(caller, clock)) };
      },
    },
  };
}

function judge(
  isOff: boolean,
  problem: string,
  isSpent: boolean,
  blocked: { until: number; why: string },
): Pick<ModelReport, "state" | "reason"> {
  if (isOff) return { state: "off", reason: "" };
  if (problem) return { state: "paused", reason: problem };
  if (isSpent) return { state: "spent", reason: "today's budget is used up" };
  if (blocked.until > 0) return { state: "paused", reason: blocked.why };
  return { state: "ready", reason: "" };
}

function openCaller(deps: ModelDeps, choice: ModelChoice): ModelCaller {
  const { settings, store, log, clock, dayOf } = deps;
  const child = openModelChild(deps.home.modelChild);
  child.killLeftover();
  let loading: Promise<Provider> | undefined;
  return openModelCaller({
    store,
    log,
    clock,
    dayOf,
    model: choice.model,
    providerName: choice.provider,
    provider: () => (loading ??= loadProvider(makeAccess(deps, choice, child.recordPid))),
    price: findPrice(choice.provider, choice.model, settings),
    budget: { tokens: settings.dailyTokens, usd: settings.dailyUsd },
    outputTokens: settings.outputTokens,
    timeoutMs: settings.timeoutMs,
  });
}

function makeAccess(
  { settings, environment, home }: ModelDeps,
  { provider, model, baseUrl, apiKey }: ModelChoice,
  onChild: (pid: number | undefined) => void,
): ProviderAccess {
  if (provider !== "claude")
    return { kind: provider === "anthropic" ? "anthropic" : "openai", model, baseUrl, apiKey };
  const executable = settings.executable || "claude";
  const { timeoutMs } = settings;
  return { kind: "claude", model, executable, environment, folder: home.run, timeoutMs, onChild };
}

function openDistiller(deps: ModelDeps, caller: ModelCaller): ModelDistiller {
  const { store, log, clock, worker, settings } = deps;
  return openModelDistiller({
    store,
    log,
    clock,
    worker,
    caller,
    projects: settings.projects,
    random: Math.random,
    announce: (sessionId, kept) => announceKept(deps.bus, sessionId, kept),
  });
}
