import { pad, quantise, type Vector } from "../../domain/memory/vector/vector.ts";
import { type EmbeddingsEndpoint, fetchEmbeddings } from "../../model/embeddings.ts";
import type { CallFailure, Usage } from "../../model/provider.ts";
import type { PendingJob, PendingRows } from "../../store/embedding-table.ts";

interface FetchJob {
  endpoint: EmbeddingsEndpoint;
  texts: readonly string[];
  /** Undefined accepts any number, for a trial. */
  dimensions: number | undefined;
  timeoutMs: number;
}

export type FetchedVectors =
  | { outcome: "answered"; vectors: Vector[]; dimensions: number; usage: Usage | undefined }
  | CallFailure;

/** These jobs run in the worker, because an answer may be megabytes of JSON. */
export interface EmbeddingJobs {
  listPending(job: PendingJob): PendingRows | undefined;
  fetchVectors(job: FetchJob): Promise<FetchedVectors>;
}

/** Vectors as they are stored. An answer with another number of dimensions comes from another model and is not used. */
export async function fetchVectors(job: FetchJob): Promise<FetchedVectors> {
  const { endpoint, texts, dimensions: expected, timeoutMs } = job;
  const answer = await fetchEmbeddings(endpoint, texts, AbortSignal.timeout(timeoutMs));
  if (answer.outcome !== "answered") return answer;
  const dimensions = expected ?? answer.vectors[0]?.length ?? 0;
  const wrong = answer.vectors.find(({ length }) => length !== dimensions);
  if (wrong)
    return { outcome: "lost", detail: `vectors of ${wrong.length} numbers instead of ${dimensions}` };
  const vectors = answer.vectors.map((values) => pad(quantise(values) ?? new Int8Array(dimensions)));
  return { outcome: "answered", vectors, dimensions, usage: answer.usage };
}
