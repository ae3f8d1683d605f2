import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";

/** One answer of the server, if it is not the vectors. */
interface EmbeddingsStep {
  status?: number;
  headers?: Record<string, string>;
  /** Accepts the request and never answers. */
  isSilent?: boolean;
  /** Starts an answer, then closes the connection. */
  isCut?: boolean;
  /** Another number of dimensions than usual. */
  dimensions?: number;
  /** Fewer vectors than texts. */
  missing?: number;
  body?: string;
}

interface EmbeddingsRequest {
  path: string;
  model: string;
  input: string[];
  authorization: string | undefined;
}

export interface EmbeddingsServer {
  /** Without a path: Ollama's base URL. OpenAI's ends in `/v1`. */
  url: string;
  requests: EmbeddingsRequest[];
  /** All texts that were sent, in order. */
  texts(): string[];
  respondWith(respond: (request: EmbeddingsRequest) => EmbeddingsStep | Promise<EmbeddingsStep>): void;
  close(): Promise<void>;
}

/**
 * Speaks Ollama's `POST /api/embed` and OpenAI's `POST /v1/embeddings` as documented, on a free loopback port. Its model
 * knows which words mean the same: a vector is the sum of one random direction per meaning, and a common part, as real
 * models have it.
 */
export async function openEmbeddingsServer(
  synonyms: readonly (readonly string[])[],
  dimensions = 192,
): Promise<EmbeddingsServer> {
  const requests: EmbeddingsRequest[] = [];
  let respond: Parameters<EmbeddingsServer["respondWith"]>[0] = () => ({});

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? "";
    const body = JSON.parse(await readText(incoming)) as { model: string; input: string | string[] };
    if (incoming.method !== "POST" || !["/api/embed", "/v1/embeddings"].includes(path))
      return send(response, 404, { error: "not found" });
    const request: EmbeddingsRequest = {
      path,
      model: body.model,
      input: [body.input].flat(),
      authorization: incoming.headers.authorization,
    };
    requests.push(request);
    const step = await respond(request);
    if (step.isSilent) return;
    if (step.isCut) {
      response.writeHead(200, { "content-type": "application/json", "content-length": "9000" });
      response.write('{"embeddings":[[0.1');
      return void setImmediate(() => response.destroy());
    }
    if (step.body !== undefined) return void response.end(step.body);
    if (step.status !== undefined)
      return send(response, step.status, { error: { message: "no" } }, step.headers);
    const vectors = request.input
      .slice(step.missing ?? 0)
      .map((text) => embed(text, synonyms, step.dimensions ?? dimensions));
    const tokens = request.input.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
    send(
      response,
      200,
      path === "/api/embed"
        ? { model: request.model, embeddings: vectors, prompt_eval_count: tokens }
        : {
            object: "list",
            // Out of order, as the protocol allows.
            data: vectors.map((embedding, index) => ({ object: "embedding", index, embedding })).toReversed(),
            model: request.model,
            usage: { prompt_tokens: tokens, total_tokens: tokens },
          },
    );
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error(`No port: ${address}`);
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    texts: () => requests.flatMap(({ input }) => input),
    respondWith(next) {
      respond = next;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

function embed(text: string, synonyms: readonly (readonly string[])[], dimensions: number): number[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  const meanings = new Set(words.map((word) => synonyms.find((same) => same.includes(word))?.[0] ?? word));
  const sum = directionOf("", dimensions);
  for (const meaning of meanings)
    directionOf(meaning, dimensions).forEach((value, d) => {
      sum[d] = (sum[d] as number) + value / Math.sqrt(meanings.size);
    });
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

/** A pseudo-random direction, always the same for a word. */
function directionOf(word: string, dimensions: number): number[] {
  let state = 2166136261;
  for (const letter of word) state = Math.imul(state ^ letter.charCodeAt(0), 16777619);
  return Array.from({ length: dimensions }, () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822507) + 0x9e3779b9) | 0;
    return (state >>> 0) / 2 ** 31 - 1;
  });
}
