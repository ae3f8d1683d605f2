import { isLoopback } from "../../config/addresses.ts";
import {
  type chooseEmbeddings,
  completeAccess,
  type EmbeddingsAccess,
  type EmbeddingsChoice,
} from "../../config/embeddings-choice.ts";
import type { Environment } from "../../config/environment.ts";
import type { Home } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import type { DailyBudget } from "../../domain/memory/model-budget.ts";
import type { EmbeddingsReport, EmbeddingsTrial } from "../../protocol/embeddings.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";
import type { VectorModel } from "../../store/vector-table.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { type EmbedQuery, openQueryEmbedder } from "./embed-query.ts";
import { openRemoteEmbedder } from "./remote-embedder.ts";
import type { EmbeddingJobs, FetchedVectors } from "./embedding-jobs.ts";
import { maySendProject } from "./may-send-project.ts";
import { type MeteredCalls, openMeteredCalls } from "./metered-calls.ts";

/** Better vectors from the endpoint that the user set up; without an endpoint, none of this runs. */
export interface Embeddings {
  start(): void;
  stop(): Promise<void>;
  embedQuery: EmbedQuery;
  report(): EmbeddingsReport;
  /** Embeds one short text with these settings, which need not be the current ones. */
  tryEndpoint(access: EmbeddingsAccess): Promise<EmbeddingsTrial>;
}

interface EmbeddingsDeps {
  home: Pick<Home, "secrets">;
  environment: Environment;
  settings: Config["embeddings"];
  choice: ReturnType<typeof chooseEmbeddings>;
  budget: DailyBudget;
  dayOf(ms: number): string;
  store: Store;
  log: Log;
  clock: Clock;
  worker: JobWorker<EmbeddingJobs>;
  /** The number of hooks that wait for an answer; they have priority. */
  waitingHooks(): number;
}

const timeoutMs = 60_000;
const countEveryMs = 2_000;
const sample = ["The connection pool is shared by all handlers."];

/** Identifies the endpoint's model: the same name may mean another one at another address. Undefined without an endpoint. */
export function identifyModel(choice: EmbeddingsDeps["choice"]): VectorModel | undefined {
  if (!choice || "problem" in choice) return undefined;
  const { provider, baseUrl, model, dimensions } = choice;
  return { name: `${provider} ${baseUrl} ${model} ${dimensions}`, dimensions };
}

export function openEmbeddings(deps: EmbeddingsDeps): Embeddings {
  const { settings, choice, store } = deps;
  const model = identifyModel(choice);
  const used = model && openConfigured(deps, choice as EmbeddingsChoice, model);
  let counted = { at: 0, rows: 0, embedded: 0 };

  /** Cached: counting reads the whole index, and the status may be requested every second. */
  function count(): { rows: number; embedded: number } {
    const now = deps.clock();
    if (model && now - counted.at >= countEveryMs)
      counted = { at: now, ...store.embeddings.count(model.name, listAllowed(deps)) };
    return { rows: counted.rows, embedded: counted.embedded };
  }

  function report(): EmbeddingsReport {
    const access = choice && !("problem" in choice) ? choice : { ...settings, model: settings.name };
    return {
      provider: settings.provider,
      name: access.model,
      baseUrl: access.baseUrl,
      ...judge(choice, used?.calls),
      ...count(),
    };
  }

  return {
    start: () => used?.rows.start(),
    async stop() {
      await Promise.all([used?.rows.stop(), used?.queries.stop()]);
    },
    embedQuery: used?.queries.embed ?? (async () => undefined),
    report,
    tryEndpoint: (access) => tryEndpoint(deps, access),
  };
}

function openConfigured(deps: EmbeddingsDeps, access: EmbeddingsChoice, model: VectorModel) {
  const calls = openCalls(deps, access);
  const shared = {
    ...deps,
    calls,
    model,
    listAllowed: () => listAllowed(deps),
    fetch: (texts: readonly string[], signal: AbortSignal) =>
      fetchUntil(deps, access, texts, model.dimensions, signal),
  };
  return { calls, rows: openRemoteEmbedder(shared), queries: openQueryEmbedder(shared) };
}

function listAllowed({ store, settings }: EmbeddingsDeps): string[] {
  return store.projects
    .all()
    .filter((project) => maySendProject(project, settings.projects))
    .map(({ id }) => id);
}

/** Returns when the signal aborts; the request itself ends with its own timeout or with the worker. */
function fetchUntil(
  { worker }: EmbeddingsDeps,
  endpoint: EmbeddingsAccess,
  texts: readonly string[],
  dimensions: number | undefined,
  signal: AbortSignal,
): Promise<FetchedVectors> {
  const { promise: late, resolve } = Promise.withResolvers<FetchedVectors>();
  const giveUp = (): void => resolve({ outcome: "lost", detail: "no answer in time" });
  signal.addEventListener("abort", giveUp);
  if (signal.aborted) giveUp();
  return Promise.race([worker.call.fetchVectors({ endpoint, texts, dimensions, timeoutMs }), late]);
}

/** Makes one real call, which is recorded in the ledger like any other. */
async function tryEndpoint(deps: EmbeddingsDeps, given: EmbeddingsAccess): Promise<EmbeddingsTrial> {
  const { environment, home, clock } = deps;
  const access = completeAccess(given, environment, home.secrets);
  if ("problem" in access) throw new AppError("embeddings_failed", `${access.problem}.`);
  const startedAt = clock();
  let result: FetchedVectors | undefined;
  const settlement = await openCalls(deps, access).call<FetchedVectors>(
    {
      turnId: null,
      projectId: null,
      texts: sample,
      maxOutputTokens: 0,
      send: (signal) => fetchUntil(deps, access, sample, undefined, signal),
      onSettled(answer) {
        result = answer;
        return answer.outcome === "answered" ? "kept" : answer.outcome;
      },
    },
    new AbortController().signal,
  );
  if (settlement === "spent")
    throw new AppError("embeddings_failed", "Today's budget does not allow a call.");
  if (result?.outcome !== "answered") throw new AppError("embeddings_failed", describe(access, result));
  const { provider, baseUrl, model } = access;
  const { inputTokens, usd } = settlement;
  const ms = clock() - startedAt;
  return { provider, baseUrl, model, dimensions: result.dimensions, inputTokens, usd, ms };
}

function openCalls(deps: EmbeddingsDeps, { provider, baseUrl, model }: EmbeddingsAccess): MeteredCalls {
  const { inputUsd } = deps.settings;
  const isFree = inputUsd === null && (provider === "ollama" || isLoopback(baseUrl));
  const usd = isFree ? 0 : inputUsd;
  const price = usd === null ? undefined : { input: usd, output: 0 };
  return openMeteredCalls({ ...deps, isFree, price, model, providerName: provider, timeoutMs });
}

function judge(
  choice: EmbeddingsDeps["choice"],
  calls: MeteredCalls | undefined,
): Pick<EmbeddingsReport, "state" | "reason"> {
  if (!choice) return { state: "off", reason: "" };
  if ("problem" in choice) return { state: "paused", reason: choice.problem };
  const blocked = calls?.getBlock();
  if (blocked && blocked.until > 0) return { state: "paused", reason: blocked.why };
  if (calls?.isSpent()) return { state: "spent", reason: "today's budget is used up" };
  return { state: "ready", reason: "" };
}

function describe({ baseUrl, model }: EmbeddingsAccess, result: FetchedVectors | undefined): string {
  if (result?.outcome === "rejected")
    return `${baseUrl} did not embed a text with ${model} (${result.why}: ${result.detail}).`;
  return `${baseUrl} sent no usable answer: ${result?.outcome === "lost" ? result.detail : "none"}.`;
}
