import type { IncomingMessage, ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import { openLoopbackServer } from "./loopback-server.ts";
import type { ModelStep } from "./model-server.ts";

/** One answer of the service. */
export interface ApiStep extends Pick<ModelStep, "text" | "tools"> {
  /** The stop reason, if not the end of the answer. */
  stop?: "refused" | "truncated";
  usage?: { input: number; output: number };
  status?: number;
  headers?: Record<string, string>;
  /** Accepts the request and never answers. */
  isSilent?: boolean;
  /** Starts an answer, then closes the connection. */
  isCut?: boolean;
  /** A proxy in front of the service answers instead. */
  html?: string;
}

export interface ApiRequest {
  path: string;
  headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: the body of either API, which tests read freely
  body: any;
  text: string;
  /** The results of all tool calls in this conversation, oldest first; not of the Messages API. */
  results: string[];
}

export interface ScriptedApi {
  url: string;
  requests: ApiRequest[];
  respondWith(respond: (request: ApiRequest) => ApiStep | Promise<ApiStep>): void;
  /** The steps of one turn, in order; "DONE" past their end, and for requests that offer no tools. */
  play(steps: ModelStep[]): void;
  close(): Promise<void>;
}

/** A fake of Anthropic's Messages API, OpenAI's Responses and chat completions and Gemini's API, on a free loopback port. */
export async function openScriptedApi(): Promise<ScriptedApi> {
  const requests: ApiRequest[] = [];
  let respond: Parameters<ScriptedApi["respondWith"]>[0] = () => ({ text: "{}" });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(incoming);
    const path = incoming.url?.split("?")[0] ?? "";
    const [api] = /(messages|responses|chat\/completions|:(?:g|streamG)enerateContent)$/.exec(path) ?? [];
    if (incoming.method !== "POST" || !api) return sendJson({ object: "list", data: [] }, response);
    const body = JSON.parse(text);
    const request = { path, headers: incoming.headers, body, text, results: readResults(body) };
    requests.push(request);
    send(await respond(request), request, response);
  }

  const { url, close } = await openLoopbackServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  return {
    url,
    requests,
    respondWith(next) {
      respond = next;
    },
    play(steps) {
      // The position in the script is the number of results, so a retry gets the same step again.
      respond = ({ body, results }) =>
        (Array.isArray(body.tools) && body.tools.length > 0 && steps[results.length]) || { text: "DONE" };
    },
    close,
  };
}

interface OpenAiBody {
  input?: unknown;
  messages?: { role: string; content: unknown }[];
}

interface GeminiBody {
  contents?: { parts: { functionResponse?: { response: unknown } }[] }[];
}

function readResults({ input, messages = [], contents = [] }: OpenAiBody & GeminiBody): string[] {
  const items: { type?: string; output?: unknown }[] = Array.isArray(input) ? input : [];
  return [
    ...items.filter(({ type }) => type === "function_call_output").map(({ output }) => output),
    ...messages.filter(({ role }) => role === "tool").map(({ content }) => content),
    ...contents.flatMap(({ parts }) => parts.flatMap(({ functionResponse: each }) => each?.response ?? [])),
  ].map((result) => (typeof result === "string" ? result : JSON.stringify(result)));
}

function send(step: ApiStep, request: ApiRequest, response: ServerResponse): void {
  const { status = 200, headers = {}, html } = step;
  if (step.isSilent) return;
  const type = html
    ? "text/html"
    : (request.body.stream || /\/responses$|:stream/.test(request.path)) && status < 400
      ? "text/event-stream"
      : "application/json";
  response.writeHead(status, { "content-type": type, ...headers });
  if (html) return void response.end(html);
  if (step.isCut) {
    response.write('{"id":"x","type":"mess');
    return void setImmediate(() => response.destroy());
  }
  if (status >= 400)
    return void response.end(
      JSON.stringify({ type: "error", error: { type: "scripted", message: "scripted" } }),
    );
  if (request.path.endsWith("/responses")) return streamResponse(step, response);
  if (request.path.endsWith("enerateContent")) {
    const content = JSON.stringify(makeContent(step));
    return void response.end(request.path.includes(":stream") ? `data: ${content}\r\n\r\n` : content);
  }
  if (request.path.endsWith("/chat/completions")) {
    const completion = makeCompletion(step, request);
    if (request.body.stream) streamCompletion(completion, response);
    else response.end(JSON.stringify(completion));
    return;
  }
  const message = makeMessage(step, request);
  if (request.body.stream) streamMessage(message, response);
  else response.end(JSON.stringify(message));
}

function makeMessage(
  { text = "", stop, usage = { input: 1_000, output: 200 } }: ApiStep,
  { body }: ApiRequest,
) {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: body.model,
    content: [{ type: "text", text }],
    stop_reason: stop === "refused" ? "refusal" : stop === "truncated" ? "max_tokens" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: usage.input, output_tokens: usage.output },
  };
}

function makeCompletion(
  { text, tools = [], stop, usage = { input: 1_000, output: 200 } }: ApiStep,
  { body }: ApiRequest,
) {
  const calls = tools.map(({ name, input, id = makeId("call") }, index) => ({
    index,
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  const message = {
    role: "assistant",
    content: stop === "refused" ? null : (text ?? null),
    refusal: stop === "refused" ? "no" : null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const finished = calls.length > 0 ? "tool_calls" : stop === "truncated" ? "length" : "stop";
  return {
    id: makeId("chat"),
    object: "chat.completion",
    created: 1,
    model: body.model,
    choices: [{ index: 0, message, finish_reason: finished }],
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
    },
  };
}

function makeContent({ text, tools = [], usage = { input: 1_000, output: 200 } }: ApiStep) {
  const calls = tools.map(({ name, input: args }) => ({ functionCall: { name, args } }));
  const parts = [...(text === undefined ? [] : [{ text }]), ...calls];
  return {
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
    usageMetadata: {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
    },
  };
}

function streamCompletion(
  { choices, ...rest }: ReturnType<typeof makeCompletion>,
  response: ServerResponse,
): void {
  const chunk = { ...rest, object: "chat.completion.chunk" };
  const write = (fields: object) => response.write(`data: ${JSON.stringify({ ...chunk, ...fields })}\n\n`);
  for (const { index, message, finish_reason } of choices) {
    write({ choices: [{ index, delta: message, finish_reason: null }] });
    write({ choices: [{ index, delta: {}, finish_reason }] });
  }
  response.end("data: [DONE]\n\n");
}

function streamResponse({ text, tools = [] }: ApiStep, response: ServerResponse): void {
  const content = [{ type: "output_text", text, annotations: [] }];
  const spoken = { type: "message", id: makeId("msg"), role: "assistant", status: "completed", content };
  const calls = tools.map(({ name, namespace, input, id = makeId("call") }) => ({
    type: "function_call",
    id: makeId("fc"),
    call_id: id,
    name,
    arguments: JSON.stringify(input),
    ...(namespace === undefined ? {} : { namespace }),
    status: "completed",
  }));
  const id = makeId("resp");
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const write = openEventStream(response);
  write("response.created", { response: { id } });
  for (const [output_index, item] of [...(text === undefined ? [] : [spoken]), ...calls].entries()) {
    write("response.output_item.added", { output_index, item });
    write("response.output_item.done", { output_index, item });
  }
  write("response.completed", { response: { id, usage } });
  response.end();
}

function streamMessage(message: ReturnType<typeof makeMessage>, response: ServerResponse): void {
  const write = openEventStream(response);
  write("message_start", { message: { ...message, content: [], stop_reason: null } });
  write("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
  write("content_block_delta", { index: 0, delta: { type: "text_delta", text: message.content[0]?.text } });
  write("content_block_stop", { index: 0 });
  write("message_delta", {
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: message.usage,
  });
  write("message_stop");
  response.end();
}

function openEventStream(response: ServerResponse): (type: string, fields?: object) => void {
  return (type, fields = {}) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
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
