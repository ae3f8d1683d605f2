import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import type { ModelStep } from "./model-server.ts";

export interface OpenAiRequest {
  api: "responses" | "chat";
  // biome-ignore lint/suspicious/noExplicitAny: the body of either API, which tests read freely
  body: any;
  /** The results of all tool calls in this conversation, oldest first. */
  results: string[];
}

export interface OpenAiModel {
  /** Includes the `/v1` that clients expect in a base URL. */
  url: string;
  requests: OpenAiRequest[];
  /** The steps of the one turn, in order; "DONE" past their end. */
  play(steps: ModelStep[]): void;
  close(): Promise<void>;
}

/** A scripted fake of OpenAI's Responses and chat completions APIs on a free loopback port. */
export async function openOpenAiModel(): Promise<OpenAiModel> {
  const requests: OpenAiRequest[] = [];
  let steps: ModelStep[] = [];

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(incoming);
    const [, path] = /^\/v1\/(responses|chat\/completions)$/.exec(incoming.url?.split("?")[0] ?? "") ?? [];
    if (incoming.method !== "POST" || !path) return sendJson({ object: "list", data: [] }, response);
    const body = JSON.parse(text);
    const api = path === "responses" ? "responses" : "chat";
    const request = {
      api,
      body,
      results: api === "responses" ? responseResults(body) : chatResults(body),
    } as const;
    requests.push(request);
    // The position in the script is the number of results, so a retry gets the same step again.
    const isConversation = Array.isArray(body.tools) && body.tools.length > 0;
    const step = (isConversation && steps[request.results.length]) || { text: "DONE" };
    if (api === "responses") streamResponse(step, response);
    else if (body.stream) streamCompletion(step, body.model, response);
    else sendJson(makeCompletion(step, body.model), response);
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error(`No port: ${address}`);
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    play(next) {
      steps = next;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function responseResults({ input }: { input?: { type?: string; output?: unknown }[] }): string[] {
  return (input ?? [])
    .filter(({ type }) => type === "function_call_output")
    .map(({ output }) => (typeof output === "string" ? output : JSON.stringify(output)));
}

function chatResults({ messages }: { messages?: { role: string; content: unknown }[] }): string[] {
  return (messages ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)));
}

function streamResponse({ text, tools = [] }: ModelStep, response: ServerResponse): void {
  const spoken = text === undefined ? [] : [makeMessage(text)];
  const calls = tools.map(({ name, input, id = makeId("call") }) => ({
    ...{ type: "function_call", id: makeId("fc"), call_id: id, name, arguments: JSON.stringify(input) },
    status: "completed",
  }));
  const id = makeId("resp");
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const send = openStream(response);
  send({ type: "response.created", response: { id } });
  for (const [output_index, item] of [...spoken, ...calls].entries()) {
    send({ type: "response.output_item.added", output_index, item });
    send({ type: "response.output_item.done", output_index, item });
  }
  send({ type: "response.completed", response: { id, usage } });
  response.end();
}

function makeMessage(text: string): object {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { type: "message", id: makeId("msg"), role: "assistant", status: "completed", content };
}

function makeCompletion({ text, tools = [] }: ModelStep, model: string) {
  const calls = tools.map(({ name, input, id = makeId("call") }, index) => ({
    ...{ index, id, type: "function" },
    function: { name, arguments: JSON.stringify(input) },
  }));
  const message = {
    role: "assistant",
    content: text ?? null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  return {
    ...{ id: makeId("chat"), object: "chat.completion", created: 1, model },
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? "tool_calls" : "stop" }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  };
}

function streamCompletion(step: ModelStep, model: string, response: ServerResponse): void {
  const { choices, ...rest } = makeCompletion(step, model);
  const chunk = { ...rest, object: "chat.completion.chunk" };
  const write = openStream(response);
  for (const { index, message, finish_reason } of choices) {
    write({ ...chunk, choices: [{ index, delta: message, finish_reason: null }] });
    write({ ...chunk, choices: [{ index, delta: {}, finish_reason }] });
  }
  response.end("data: [DONE]\n\n");
}

/** Events of the Responses API are named by their type; those of chat completions have none. */
function openStream(response: ServerResponse): (event: Record<string, unknown>) => void {
  response.setHeader("content-type", "text/event-stream");
  return (event) =>
    response.write(
      `${typeof event.type === "string" ? `event: ${event.type}\n` : ""}data: ${JSON.stringify(event)}\n\n`,
    );
}

function sendJson(value: object, response: ServerResponse): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
}

let idsMade = 0;
function makeId(prefix: string): string {
  idsMade += 1;
  return `${prefix}_${String(idsMade).padStart(6, "0")}`;
}
