import { Hono } from "hono";
import { AppError } from "../shared/errors.ts";
import type { Backend } from "./backend.ts";
import { answerError } from "./errors.ts";
import { checkSite, requireToken } from "./guard.ts";
import { careRoutes } from "./routes/care.ts";
import { channelRoutes } from "./routes/channels.ts";
import { daemonRoutes } from "./routes/daemon.ts";
import { deliveryRoutes } from "./routes/deliveries.ts";
import { hookRoutes } from "./routes/hooks.ts";
import { importRoutes } from "./routes/import.ts";
import { mailRoutes } from "./routes/mail.ts";
import { memoryRoutes } from "./routes/memory.ts";
import { modelRoutes } from "./routes/model.ts";
import { reachRoutes } from "./routes/reach.ts";
import { questionRoutes } from "./routes/questions.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { viewerRoutes } from "./routes/viewer.ts";
import { viewerFiles } from "./viewer-files.ts";

/**
 * `socket`: a unix socket in our private folder, whose permissions are the authentication. `pipe`: a Windows
 * named pipe, which others may open: token. `tcp`: token, Host and Origin.
 */
export type Transport = "socket" | "pipe" | "tcp";

/** The table of contents of the API. */
export function makeApp(backend: Backend, transport: Transport): Hono {
  const app = new Hono();
  app.onError((error, c) => answerError(c, error, backend.log));
  app.notFound((c) =>
    answerError(
      c,
      new AppError("route_not_found", `There is no ${c.req.method} ${c.req.path}.`),
      backend.log,
    ),
  );
  app.use(async (c, next) => {
    c.header("x-content-type-options", "nosniff");
    c.header("cache-control", "no-store");
    c.header("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
    await next();
  });
  if (transport === "tcp") app.use(checkSite(backend.port));

  /** GET /health — needs nothing. */
  app.get("/health", (c) => c.json({ status: backend.health(), version: backend.version }));
  if (transport === "tcp") app.route("/", viewerFiles(backend.viewer));

  if (transport !== "socket") app.use("/api/*", requireToken(backend.token));
  app.route("/api/hooks", hookRoutes(backend));
  app.route("/api/sessions", sessionRoutes(backend));
  app.route("/api/deliveries", deliveryRoutes(backend));
  app.route("/api/import", importRoutes(backend.importing));
  app.route("/api", questionRoutes(backend.asking));
  app.route("/api", viewerRoutes(backend.viewer));
  app.route("/api", mailRoutes(backend.mail));
  app.route("/api", memoryRoutes(backend.memory));
  app.route("/api", careRoutes(backend.care));
  app.route("/api", modelRoutes(backend.model));
  app.route("/api/channels", channelRoutes(backend.channels));
  app.route("/api", reachRoutes(backend.reach));
  app.route("/api", daemonRoutes(backend));
  return app;
}
