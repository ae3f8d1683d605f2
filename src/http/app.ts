import type { IncomingMessage, ServerResponse } from "node:http";
import type { ApiError } from "../protocol/api.ts";
import { AppError, type ErrorKind, toAppError } from "../shared/errors.ts";
import { makeId } from "../shared/ids.ts";
import type { Log } from "../shared/log.ts";
import { isStorageFull, makeStoreFull } from "../sqlite/sqlite.ts";
import { checkHostAndOrigin, makeTokenCheck, makeUserCheck } from "./guard.ts";
import type { AllHandlers } from "./handlers.ts";
import { makeRoutes, sendJson } from "./routes.ts";
import { openViewerFiles } from "./viewer-files.ts";

/**
 * `socket`: a unix socket in our private folder, whose permissions are the authentication. `pipe`: a Windows named
 * pipe, which other users may open, so the token is checked. `tcp`: token, Host and Origin are checked.
 */
export type Transport = "socket" | "pipe" | "tcp";

export interface AppOptions {
  log: Log;
  token: string;
  /** The port that this daemon listens on. */
  port(): number;
  /** The folder of the built viewer. */
  viewerFiles: URL;
  handlers: AllHandlers;
}

export type App = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The API of `protocol/endpoints.ts`, and the viewer's page, over one transport. Plain `node:http`: a framework that uses
 * `Request` and `Response` loads the client behind `fetch`, which costs 18 MB.
 */
export function makeApp(options: AppOptions, transport: Transport): App {
  const { log, token, port } = options;
  const routes = makeRoutes(options.handlers);
  const viewerFiles = openViewerFiles(options.viewerFiles);
  const checkToken = makeTokenCheck(token);
  const checkUser = makeUserCheck();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path, search] = splitUrl(request.url ?? "/");
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "GET");
    if (transport === "tcp") {
      checkHostAndOrigin(request.headers, port());
      const file = method === "GET" ? viewerFiles.find(path) : undefined;
      if (file) return void response.writeHead(200, file.headers).end(file.bytes);
      if (/^\/(?:api|viewer|webhook)\//.test(path)) await checkUser(request.socket);
    }
    if (transport !== "socket" && path.startsWith("/api/")) checkToken(request.headers.authorization);
    const route = routes.find(method, path);
    if (!route) throw new AppError("route_not_found", `There is no ${method} ${path}.`);
    await route(request, response, new URLSearchParams(search));
  }

  return (request, response) => {
    response.setHeader("x-content-type-options", "nosniff");
    response.setHeader("cache-control", "no-store");
    response.setHeader("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
    answer(request, response).catch((thrown: unknown) => sendError(request, response, thrown, log));
  };
}

function splitUrl(url: string): [path: string, search: string] {
  const mark = url.indexOf("?");
  return mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark)];
}

const statusOfKind: Record<ErrorKind, number> = {
  invalid: 400,
  denied: 403,
  missing: 404,
  conflict: 409,
  unavailable: 503,
  bug: 500,
};

/** The only mapping from error kind to status. Details of a bug are logged under an id, not sent. */
function sendError(request: IncomingMessage, response: ServerResponse, thrown: unknown, log: Log): void {
  if (request.errored) return void response.destroy(); // The client disconnected while it sent its body.
  const error = isStorageFull(thrown) ? makeStoreFull(thrown) : toAppError(thrown);
  const { code, hint, kind } = error;
  let { message } = error;
  if (kind === "bug") {
    const id = makeId(Date.now());
    log.error("request failed", { id, path: splitUrl(request.url ?? "/")[0], error });
    message = `Something went wrong inside Rookery (${id}).`;
  }
  // In the middle of a stream: a cut connection tells the client that the answer is incomplete.
  if (response.headersSent) return void response.destroy();
  request.resume(); // A client that is still writing cannot read the response.
  const status = code === "unauthorized" ? 401 : statusOfKind[kind];
  sendJson(response, status, { code, message, hint } satisfies ApiError);
}
