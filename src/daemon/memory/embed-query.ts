import { dropOldest } from "../../shared/drop-oldest.ts";
import type { Vector } from "../../domain/memory/vector/vector.ts";
import { redactText } from "../../redact/redact-text.ts";
import type { Log } from "../../shared/log.ts";
import { valueWithin } from "../runtime/value-within.ts";
import type { FetchedVectors } from "./embedding-jobs.ts";
import type { MeteredCalls } from "./metered-calls.ts";

/**
 * The vector of a query over these projects (undefined: all). Undefined if none of them may be sent, or if it takes
 * longer than `waitMs`: search then uses the built-in table.
 */
export type EmbedQuery = (
  text: string,
  projectIds: readonly string[] | undefined,
  waitMs: number,
) => Promise<Vector | undefined>;

interface QueryEmbedderDeps {
  log: Log;
  calls: MeteredCalls;
  fetch(texts: readonly string[], signal: AbortSignal): Promise<FetchedVectors>;
  /** Ids of the projects whose texts may be sent. */
  listAllowed(): string[];
}

const timeoutMs = 10_000;
const maxQuery = 2_000;
const maxCached = 100;

export function openQueryEmbedder(deps: QueryEmbedderDeps): { embed: EmbedQuery; stop(): Promise<void> } {
  const { log, calls } = deps;
  const stopping = new AbortController();
  const cached = new Map<string, Promise<Vector | undefined>>();

  async function ask(wanted: string, projectId: string | null): Promise<Vector | undefined> {
    let vector: Vector | undefined;
    try {
      await calls.call<FetchedVectors>(
        {
          turnId: null,
          projectId,
          texts: [wanted],
          maxOutputTokens: 0,
          timeoutMs,
          send: (signal) => deps.fetch([wanted], signal),
          onSettled(result) {
            if (result.outcome !== "answered") return result.outcome;
            vector = result.vectors[0];
            return "kept";
          },
        },
        stopping.signal,
      );
    } catch (error) {
      log.error("a query was not embedded", { error });
    }
    if (!vector) cached.delete(wanted);
    return vector;
  }

  return {
    async embed(text, projectIds, waitMs) {
      if (calls.getBlock().until > 0) return undefined;
      if (!deps.listAllowed().some((id) => projectIds?.includes(id) ?? true)) return undefined;
      // Redacted before it is cut: half a secret is no longer recognised as one.
      const wanted = redactText(text).text.slice(0, maxQuery).trim();
      if (wanted === "") return undefined;
      const [only = null, ...others] = projectIds ?? [];
      const vector = cached.get(wanted) ?? ask(wanted, others.length === 0 ? only : null);
      cached.set(wanted, vector);
      dropOldest(cached, maxCached);
      // A late answer is still settled and cached.
      return valueWithin(vector, waitMs);
    },
    async stop() {
      stopping.abort();
      await Promise.all(cached.values());
    },
  };
}
