import { parseJson } from "../shared/json.ts";
import type { CallFailure, Usage } from "./provider.ts";
import { readFailure } from "./read-failure.ts";

export interface EmbeddingsEndpoint {
  provider: "ollama" | "openai";
  baseUrl: string;
  model: string;
  /** Empty if none is needed. */
  apiKey: string;
}

/** One vector per text, in their order. */
type EmbeddingResult =
  | { outcome: "answered"; vectors: Float32Array[]; usage: Usage | undefined }
  | CallFailure;

/** The fields that we read from the answers of Ollama and OpenAI-compatible services. */
interface Answer {
  embeddings?: unknown;
  prompt_eval_count?: unknown;
  data?: unknown;
  usage?: { prompt_tokens?: unknown };
}

/** Statuses that mean the texts were rejected: too long, too many, not accepted. */
const inputStatuses = new Set([400, 413, 422]);

/** Gets vectors from Ollama (`/api/embed`) or an OpenAI-compatible service (`/embeddings`) in one request, without a retry. */
export async function fetchEmbeddings(
  { provider, baseUrl, model, apiKey }: EmbeddingsEndpoint,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<EmbeddingResult> {
  try {
    const response = await fetch(`${baseUrl}${provider === "ollama" ? "/api/embed" : "/embeddings"}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
      },
      body: JSON.stringify({ model, input: texts }),
      // A redirect would send the key and the texts to another address.
      redirect: "error",
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      const failure = readFailure({ status: response.status, headers: response.headers }, signal);
      if (failure.outcome === "rejected" && inputStatuses.has(response.status)) failure.why = "input";
      return failure;
    }
    return readAnswer(parseJson(await response.text()) as Answer, texts.length);
  } catch (error) {
    return readFailure(error, signal);
  }
}

function readAnswer(answer: Answer, count: number): EmbeddingResult {
  const vectors = listVectors(answer).map(readVector);
  const isComplete = vectors.length === count && vectors.every((vector) => vector !== undefined);
  if (!isComplete) return { outcome: "lost", detail: `the answer does not have ${count} vectors` };
  const inputTokens = answer.usage?.prompt_tokens ?? answer.prompt_eval_count;
  const usage = typeof inputTokens === "number" ? { inputTokens, outputTokens: 0 } : undefined;
  return { outcome: "answered", vectors, usage };
}

/** OpenAI-compatible services number the vectors; their order in the answer is not guaranteed. */
function listVectors({ embeddings, data }: Answer): unknown[] {
  if (Array.isArray(embeddings)) return embeddings;
  if (!Array.isArray(data)) return [];
  const items = data as { index?: number; embedding?: unknown }[];
  return items
    .map((item, place) => ({ place: item.index ?? place, vector: item.embedding }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ vector }) => vector);
}

function readVector(values: unknown): Float32Array | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined;
  return values.every((value) => Number.isFinite(value)) ? Float32Array.from(values as number[]) : undefined;
}
