import type { IncomingMessage, ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import { openLoopbackServer } from "./loopback-server.ts";
import { waitFor } from "./processes.ts";

/** One answer of the scripted model: text, then tool calls; or an API error instead. */
export interface ModelStep {
  text?: string;
  /** `namespace` groups tools in OpenAI's Responses API. */
  tools?: { name: string; namespace?: string; input: unknown; id?: string }[];
  error?: { status: number; type: string; message: string };
}

export interface ModelRequest {
  /** Position in `requests`. */
  index: number;
  // biome-ignore lint/suspicious/noExplicitAny: the Messages API body, which tests read freely
  body: any;
  /** The full body as JSON: hooks inject text in several places, so tests search all of it. */
  text: string;
  /** When it arrived, epoch ms. */
  at: number;
  /** The session id in Claude Code's request header; changes on `/clear`. */
  sessionId: string | undefined;
  /** Set for a request of a subagent: the `agent_id` that its hooks get. */
  agentId: string | undefined;
  isSubagent: boolean;
}

type Respond = (request: ModelRequest) => ModelStep | Promise<ModelStep>;

export interface ModelServer {
  url: string;
  /** Requests of conversations: the main one of each session, and its subagents. */
  requests: ModelRequest[];
  /** All other requests for a message (titles, probes, compaction). They never reach the script. */
  auxiliaryRequests: ModelRequest[];
  respondWith(respond: Respond): void;
  /** Resolves with the first matching conversation request, past or future. */
  waitForRequest(matches: (request: ModelRequest) => boolean): Promise<ModelRequest>;
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
    // Without the tags the CLI treats the summary as failed and retries.
    return { text: isCompaction(request.body) ? "<summary>A scripted summary.</summary>" : "ok" };
  }

  const server = await openLoopbackServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      // The CLI may cut a connection during a request: Esc, /exit and kill do it.
      if (incoming.errored || response.destroyed) return;
      scriptErrors.push(error);
      sendError({ status: 500, type: "api_error", message: String(error) }, response);
    });
  });
  return {
    url: server.url,
    requests,
    auxiliaryRequests,
    respondWith(next) {
      respond = next;
    },
    waitForRequest(matches) {
      const describe = () => `a matching model request; these came:\n${requests.map(summarise).join("\n")}`;
      return waitFor(() => requests.find(matches), { describe });
    },
    async close() {
      await server.close();
      if (scriptErrors.length > 0) {
        throw new AggregateError(scriptErrors, `The model script threw: ${scriptErrors.join("; ")}`);
      }
    },
  };
}

/**
 * A script by marker: plays the steps of the marker in the latest prompt, one per request of that turn, then "DONE". It
 * has no state (the position is the number of assistant messages since the prompt), so that retries, several sessions
 * and subagents can share one script.
 *
 * A prompt is typed by a person, given to a subagent, or the notification that woke the session. Text injected by hooks
 * does not count: a memory that quotes an old prompt must not replay its steps.
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

/** The last marker: unanswered prompts are merged into one message. */
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

/** Conversations (of a person or a subagent) are requests that offer tools and do not ask for a compaction summary. */
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

/** Tells the client not to retry a scripted failure, which it would do with growing pauses. */
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
