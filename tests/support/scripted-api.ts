import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";

/** One answer of the service. */
export interface ApiStep {
  text?: string;
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
}

export interface ScriptedApi {
  url: string;
  requests: ApiRequest[];
  respondWith(respond: (request: ApiRequest) => ApiStep | Promise<ApiStep>): void;
  close(): Promise<void>;
}

/** A fake of Anthropic's Messages API (streaming or not) and of OpenAI's chat completions, on a free loopback port. */
export async function openScriptedApi(): Promise<ScriptedApi> {
  const requests: ApiRequest[] = [];
  let respond: Parameters<ScriptedApi["respondWith"]>[0] = () => ({ text: "{}" });

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(incoming);
    const path = incoming.url?.split("?")[0] ?? "";
    if (incoming.method !== "POST" || !/\/(messages|chat\/completions)$/.test(path))
      return void response.end("{}");
    const request = { path, headers: incoming.headers, body: JSON.parse(text), text };
    requests.push(request);
    send(await respond(request), request, response);
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

function send(step: ApiStep, request: ApiRequest, response: ServerResponse): void {
  const { status = 200, headers = {}, html } = step;
  if (step.isSilent) return;
  const type = html
    ? "text/html"
    : request.body.stream && status < 400
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
  if (request.path.endsWith("/chat/completions"))
    return void response.end(JSON.stringify(makeChoice(step, request)));
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

function makeChoice(
  { text = "", stop, usage = { input: 1_000, output: 200 } }: ApiStep,
  { body }: ApiRequest,
) {
  return {
    id: "chat_1",
    object: "chat.completion",
    model: body.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: stop === "refused" ? null : text,
          refusal: stop === "refused" ? "no" : null,
        },
        finish_reason: stop === "truncated" ? "length" : "stop",
      },
    ],
    usage: { prompt_tokens: usage.input, completion_tokens: usage.output },
  };
}

function streamMessage(message: ReturnType<typeof makeMessage>, response: ServerResponse): void {
  const write = (type: string, fields: object = {}) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
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
