import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import { waitFor } from "./processes.ts";

/** One answer of the scripted model: text, then tool calls; or an API error instead. */
export interface ModelStep {
  text?: string;
  tools?: { name: string; input: unknown; id?: string }[];
  error?: { status: number; type: string; message: string };
}

export interface ModelRequest {
  /** Position in `requests`. */
  index: number;
  // biome-ignore lint/suspicious/noExplicitAny: the Messages API body, which tests look into freely
  body: any;
  /** The whole body as JSON: hooks inject text in several places, so tests assert over all of it. */
  text: string;
  /** When it arrived, epoch ms. */
  at: number;
  /** The session as Claude Code names it in its request header; changes on `/clear`. */
  sessionId: string | undefined;
  /** Set in a request of a subagent: the id that its hooks get as `agent_id`. */
  agentId: string | undefined;
  isSubagent: boolean;
}

export type Respond = (request: ModelRequest) => ModelStep | Promise<ModelStep>;

export interface ModelServer {
  url: string;
  /** Requests of conversations: the main one of each session, and its subagents. */
  requests: ModelRequest[];
  /** Everything else that asked for a message (titles, probes, compaction). It never reaches the script. */
  auxiliaryRequests: ModelRequest[];
  respondWith(respond: Respond): void;
  /** Resolves with the first matching conversation request, also when it has already come. */
  waitForRequest(matches: (request: ModelRequest) => boolean, timeoutMs?: number): Promise<ModelRequest>;
  /** Stops listening, drops every connection; throws if the script threw while answering. */
  close(): Promise<void>;
}

interface Message {
  role: "user" | "assistant" | "system";
  content: string | { type: string; text?: string }[];
}

type Block = { type: "text"; text: string } | { type: "tool_use"; id: string; name: string; input: unknown };

const DONE: ModelStep = { text: "DONE" };

/** A scripted stand-in for the Anthropic Messages API on a free loopback port. */
export async function openModelServer(): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const auxiliaryRequests: ModelRequest[] = [];
  const scriptErrors: unknown[] = [];
  let respond: Respond = () => DONE;

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(incoming);
    const route = `${incoming.method} ${incoming.url?.split("?")[0]}`;
    if (route === "POST /v1/messages") {
      const body = JSON.parse(text);
      sendStep(await findStep(recordRequest(incoming, body, text)), body, response);
    } else if (route === "POST /v1/messages/count_tokens") {
      sendJson({ input_tokens: Math.ceil(text.length / 4) }, response);
    } else {
      sendJson({}, response);
    }
  }

  function recordRequest(
    { headers }: IncomingMessage,
    body: ModelRequest["body"],
    text: string,
  ): ModelRequest {
    const list = isConversation(body) ? requests : auxiliaryRequests;
    const sessionId = headers["x-claude-code-session-id"]?.toString();
    const agentId = headers["x-claude-code-agent-id"]?.toString();
    const isSubagent = agentId !== undefined;
    const at = Date.now();
    const request = { index: list.length, body, text, at, sessionId, agentId, isSubagent };
    list.push(request);
    return request;
  }

  async function findStep(request: ModelRequest): Promise<ModelStep> {
    if (isConversation(request.body)) return respond(request);
    // Without the tags the CLI takes a summary for a failed one and asks again.
    return { text: isCompaction(request.body) ? "<summary>A scripted summary.</summary>" : "ok" };
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      // A connection cut off in mid-request is the CLI's right: Esc, /exit and kill do it.
      if (incoming.errored || response.destroyed) return;
      scriptErrors.push(error);
      sendError({ status: 500, type: "api_error", message: String(error) }, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error(`No port: ${address}`);

  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    auxiliaryRequests,
    respondWith(next) {
      respond = next;
    },
    waitForRequest(matches, timeoutMs = 15_000) {
      const describe = () => `a matching model request; these came:\n${requests.map(summarise).join("\n")}`;
      return waitFor(() => requests.find(matches), { timeoutMs, describe });
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
      if (scriptErrors.length > 0) {
        throw new AggregateError(scriptErrors, `The model script threw: ${scriptErrors.join("; ")}`);
      }
    },
  };
}

/**
 * A script by marker: the steps of the marker that the latest prompt mentions, one per request of that turn, and
 * "DONE" past their end. It holds no state (the place in the list is the number of assistant messages since the
 * prompt), so retries, several sessions and subagents can share one script.
 *
 * A prompt is what a person typed, what a subagent was told, or the notification that woke the session. Text injected
 * by hooks is none: a memory that quotes an old prompt must not replay its steps.
 */
export function scriptTurns(turns: Record<string, ModelStep[]>): Respond {
  const markers = Object.keys(turns);
  return ({ body }) => {
    const messages: Message[] = body.messages;
    const found = messages.map((message) => findMarker(markers, promptsIn(message).join("\n")));
    const start = found.findLastIndex((marker) => marker !== undefined);
    const round = messages.slice(start).filter(({ role }) => role === "assistant").length;
    return turns[found[start] ?? ""]?.[round] ?? DONE;
  };
}

/** The marker that stands last: prompts that nobody answered in between come merged into one message. */
function findMarker(markers: string[], text: string): string | undefined {
  const mentioned = markers.filter((marker) => text.includes(marker));
  return mentioned.toSorted((a, b) => text.lastIndexOf(b) - text.lastIndexOf(a))[0];
}

function promptsIn({ role, content }: Message): string[] {
  if (role !== "user") return [];
  const texts = typeof content === "string" ? [content] : content.map(({ text }) => text ?? "");
  return texts.filter(
    (text) => !text.startsWith("<system-reminder>") || text.includes("[SYSTEM NOTIFICATION"),
  );
}

/** Conversations, a person's or a subagent's, are the requests that offer tools and want no compaction summary. */
function isConversation(body: ModelRequest["body"]): boolean {
  return Array.isArray(body.tools) && body.tools.length > 0 && !isCompaction(body);
}

function isCompaction({ messages }: ModelRequest["body"]): boolean {
  const order = "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.";
  return JSON.stringify(messages?.at(-1) ?? "").includes(order);
}

function summarise({ index, agentId, body }: ModelRequest): string {
  const agent = agentId === undefined ? "" : ` (agent ${agentId})`;
  return `  ${index}${agent} …${JSON.stringify(body.messages.at(-1)).slice(-200)}`;
}

function sendStep(
  { text, tools = [], error }: ModelStep,
  request: { model: string; stream?: boolean },
  response: ServerResponse,
): void {
  if (error) return sendError(error, response);
  const calls = tools.map(({ name, input, id = makeId("toolu") }): Block => {
    return { type: "tool_use", id, name, input };
  });
  // A message has at least one block.
  const isSpoken = text !== undefined || calls.length === 0;
  const message = {
    id: makeId("msg"),
    type: "message",
    role: "assistant",
    model: request.model,
    content: isSpoken ? [{ type: "text", text: text ?? "" } as Block, ...calls] : calls,
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  };
  if (request.stream) streamMessage(message, response);
  else sendJson(message, response);
}

function streamMessage(
  message: { content: Block[]; stop_reason: string; usage: object },
  response: ServerResponse,
): void {
  response.setHeader("content-type", "text/event-stream");
  const send = (type: string, fields: object = {}) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);

  send("message_start", { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of message.content.entries()) {
    const isText = block.type === "text";
    send("content_block_start", {
      index,
      content_block: { ...block, ...(isText ? { text: "" } : { input: {} }) },
    });
    const delta = isText
      ? { type: "text_delta", text: block.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  }
  send("message_delta", {
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: message.usage,
  });
  send("message_stop");
  response.end();
}

/** The client is told not to retry, or a scripted failure would be asked for again with growing pauses. */
function sendError(error: NonNullable<ModelStep["error"]>, response: ServerResponse): void {
  const { status, type, message } = error;
  response.writeHead(status, { "x-should-retry": "false" });
  sendJson({ type: "error", error: { type, message } }, response);
}

function sendJson(value: object, response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
}

let idsMade = 0;
function makeId(prefix: string): string {
  idsMade += 1;
  return `${prefix}_${String(idsMade).padStart(6, "0")}`;
}
