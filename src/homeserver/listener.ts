import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { JsonDepthError } from "../shared/json.ts";
import { limitPipelining } from "../shared/limit-pipelining.ts";
import type { Log } from "../shared/log.ts";
import { isStorageFull } from "../sqlite/sqlite.ts";
import { diskFull, MatrixError, refuse, tooLarge } from "./errors.ts";
import { isObject, type JsonObject, parseBody } from "./json.ts";
import { isLarge, stringifyInParts } from "./large-json.ts";
import { type Answer, type Call, isReply, type Route } from "./route.ts";
import type { Router } from "./router.ts";
import type { Services } from "./services.ts";
import type { BodyBudget } from "./services/body-budget.ts";
import type { Session } from "./services/sessions.ts";

const cors = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE, OPTIONS",
  "Access-Control-Allow-Headers": "X-Requested-With, Content-Type, Authorization",
};
/** A flat list, because Node writes it without conversion; an object would cost a third of the throughput. */
const jsonHeaders = [...Object.entries(cors).flat(), "Content-Type", "application/json"];
const anonymous: Session = { userId: "", deviceId: "", device: 0 };
const maxJsonBytes = 1_000_000;
/** Limit for routes that need no token, such as login. */
const maxOpenBytes = 65_536;
/** Shorter responses are not worth counting. */
const minHeldBytes = 65_536;
/** Longer than any long poll. */
const requestTimeoutMs = 120_000;

/** Plain `node:http`: a framework's few microseconds per request would be a third of the total cost of a send. */
export function makeListener(router: Router, services: Services, log: Log): Server {
  const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path, search] = splitUrl(request.url ?? "/");
    const { route, params } = router(request.method ?? "GET", path);
    const query = new URLSearchParams(search);
    const session = needsToken(route) ? authenticate(request, query) : anonymous;
    if (route.access === "user" && !route.isRead) services.limits.writes.take(session.userId);
    const call: Call = {
      params,
      query,
      session,
      content: request,
      headers: request.headers,
      body: await readBody(request, route, session),
      onDisconnect(listener) {
        response.once("close", listener);
        return () => void response.off("close", listener);
      },
    };
    const result = route.isLargeRead
      ? await services.reads.run(session.userId, async () => route.handle(call, services))
      : await route.handle(call, services);
    // Commit first, answer second.
    await services.db.whenCommitted();
    if (!isReply(result) && isLarge(result)) await sendLarge(response, result, session);
    else send(response, result, request.method === "HEAD", (length) => hold(response, session, length));
  }

  /** A client that reads slowly, or not at all, keeps its response in memory. */
  function hold(response: ServerResponse, { userId }: Session, length: number): void {
    if (length < minHeldBytes || response.destroyed) return;
    const { responseBudget } = services.limits;
    responseBudget.take(userId, length);
    response.once("close", () => responseBudget.release(userId, length));
  }

  async function sendLarge(response: ServerResponse, body: object, session: Session): Promise<void> {
    const parts = await stringifyInParts(body, services.timeSlices.begin("urgent"));
    if (response.destroyed) return;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    hold(response, session, length);
    response.writeHead(200, [...jsonHeaders, "Content-Length", String(length)]);
    for (const part of parts) response.write(part);
    response.end();
  }

  function needsToken({ access }: Route): boolean {
    return access === "user" || (access === "guarded" && !services.registration.isOpen);
  }

  function authenticate(request: IncomingMessage, query: URLSearchParams): Session {
    const header = request.headers.authorization;
    const token = header?.startsWith("Bearer ") ? header.slice(7).trim() : query.get("access_token");
    if (!token) refuse("M_MISSING_TOKEN", "Missing access token.");
    return services.sessions.authenticate(token, request.socket.remoteAddress ?? "");
  }

  async function readBody(request: IncomingMessage, route: Route, { userId }: Session): Promise<JsonObject> {
    if (route.method === "GET") return {};
    const { mediaBytes, bodyBudget } = services.limits;
    const maxBytes = route.maxBytes ?? (route.access === "open" ? maxOpenBytes : maxJsonBytes);
    checkLength(request, route.body === "raw" ? mediaBytes : maxBytes);
    return route.body === "raw" ? {} : readJson(await receive(request, maxBytes, bodyBudget, userId));
  }

  function readJson(raw: Buffer): JsonObject {
    if (raw.length === 0) return {};
    let body: unknown;
    try {
      body = parseBody(strictUtf8.decode(raw));
    } catch (cause) {
      if (cause instanceof JsonDepthError) refuse("M_BAD_JSON", cause.message);
      throw new MatrixError("M_NOT_JSON", "The body is not JSON.", { cause });
    }
    if (body === null) return {};
    return isObject(body) ? body : refuse("M_BAD_JSON", "The body must be an object.");
  }

  function fail(response: ServerResponse, thrown: unknown, url: string | undefined): void {
    if (response.headersSent || response.destroyed) return void response.destroy();
    const error =
      thrown instanceof MatrixError ? thrown : isStorageFull(thrown) ? diskFull(thrown) : undefined;
    if (error !== thrown) log.error("matrix: a request failed", { path: url?.split("?")[0], error: thrown });
    const body = {
      errcode: error?.code ?? "M_UNKNOWN",
      error: error?.message ?? "Internal server error. See the log for details.",
      ...error?.fields,
    };
    sendJson(response, error?.status ?? 500, body, error?.headers);
  }

  return createServer(
    { keepAliveTimeout: 60_000, requestTimeout: requestTimeoutMs, maxHeaderSize: 32_768 },
    limitPipelining((request, response) => {
      if (request.method === "OPTIONS") {
        request.resume();
        response.writeHead(204, cors).end();
        return;
      }
      void answer(request, response).catch((thrown: unknown) => {
        if (!request.complete) response.setHeader("Connection", "close");
        request.resume(); // The client reads the response only after its whole body has been consumed.
        fail(response, thrown, request.url);
      });
    }),
  );
}

function splitUrl(url: string): [path: string, search: string] {
  const mark = url.indexOf("?");
  return mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark + 1)];
}

function checkLength({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

function receive(
  request: IncomingMessage,
  maxBytes: number,
  budget: BodyBudget,
  userId: string,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise<Buffer>((resolve, reject) => {
    request.on("data", (chunk: Buffer) => {
      try {
        if (size + chunk.length > maxBytes) throw tooLarge(maxBytes);
        budget.take(userId, chunk.length);
        size += chunk.length;
        chunks.push(chunk);
      } catch (error) {
        request.removeAllListeners("data");
        reject(error);
      }
    });
    request.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on("error", reject);
  }).finally(() => budget.release(userId, size));
}

function send(
  response: ServerResponse,
  result: Answer,
  isHead: boolean,
  onLength: (length: number) => void,
): void {
  if (!isReply(result)) return sendJson(response, 200, result, {}, onLength);
  response.writeHead(result.status, { ...cors, ...result.headers });
  if (typeof result.body === "string" || isHead) return void response.end(isHead ? "" : result.body);
  result.body.on("error", () => response.destroy());
  result.body.pipe(response);
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
  onLength?: (length: number) => void,
): void {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  onLength?.(length);
  const fields = Object.entries(headers).flat();
  response.writeHead(status, [...jsonHeaders, ...fields, "Content-Length", String(length)]);
  response.end(text);
}
