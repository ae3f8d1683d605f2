import { Hono, type Context } from "hono";
import { AppError, type ErrorKind, toAppError } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import { checkHostAndOrigin, requireToken } from "./guard.ts";
import type { AllHandlers } from "./handlers.ts";
import { addRoutes } from "./routes.ts";
import { serveViewerFiles } from "./viewer-files.ts";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { makeId } from "../shared/ids.ts";
import type { ApiError } from "../protocol/api.ts";
import { isStorageFull, makeStoreFull } from "../sqlite/sqlite.ts";

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

/** The API of `protocol/endpoints.ts`, and the viewer's page, over one transport. */
export function makeApp(options: AppOptions, transport: Transport): Hono {
  const { log, token, port, handlers } = options;
  const app = new Hono();
  app.onError((error, c) => answerError(c, error, log));
  app.notFound((c) =>
    answerError(c, new AppError("route_not_found", `There is no ${c.req.method} ${c.req.path}.`), log),
  );
  app.use(async (c, next) => {
    c.header("x-content-type-options", "nosniff");
    c.header("cache-control", "no-store");
    c.header("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
    await next();
  });
  if (transport === "tcp") app.use(checkHostAndOrigin(port));
  if (transport === "tcp") app.route("/", serveViewerFiles(options.viewerFiles));
  if (transport !== "socket") app.use("/api/*", requireToken(token));
  addRoutes(app, handlers);
  return app;
}

const statusOfKind: Record<ErrorKind, ContentfulStatusCode> = {
  invalid: 400,
  denied: 403,
  missing: 404,
  conflict: 409,
  unavailable: 503,
  bug: 500,
};

/** The only mapping from error kind to status. Details of a bug are logged under an id, not sent. */
function answerError(c: Context, thrown: unknown, log: Log): Response {
  const error = isStorageFull(thrown) ? makeStoreFull(thrown) : toAppError(thrown);
  const { code, hint, kind } = error;
  let { message } = error;
  if (kind === "bug") {
    const id = makeId(Date.now());
    log.error("request failed", { id, path: c.req.path, error });
    message = `Something went wrong inside Rookery (${id}).`;
  }
  const status = code === "unauthorized" ? 401 : statusOfKind[kind];
  return c.json({ code, message, hint } satisfies ApiError, status);
}
