import { Hono } from "hono";
import { browseRequest } from "../../protocol/viewer.ts";
import { checkShape, readCount, readLimit } from "../body.ts";
import type { ViewerBackend } from "../viewer-backend.ts";

export function viewerRoutes(viewer: ViewerBackend): Hono {
  const app = new Hono();

  /** POST /api/viewer/codes — an address that lets one browser tab in, once, within a minute. */
  app.post("/viewer/codes", (c) => c.json(viewer.issueCode(), 201));

  /** GET /api/now — the sessions that run, and what each is doing. */
  app.get("/now", (c) => c.json(viewer.now()));

  /** GET /api/browse — notes, newest first, from anywhere in the list. */
  app.get("/browse", async (c) => c.json(await viewer.browse(checkShape(browseRequest, c.req.query()))));

  /** GET /api/observations/:id/sources — the events it was made of, and the sessions it was put before. */
  app.get("/observations/:id/sources", async (c) => c.json(await viewer.sources(c.req.param("id"))));

  /** GET /api/sessions/:id/story — turn by turn. */
  app.get("/sessions/:id/story", async (c) =>
    c.json(await viewer.story(c.req.param("id"), readCount(c, "before"), readLimit(c, 30, 100))),
  );

  /** GET /api/series — hook latency, queue, spool and sizes over the last hours. */
  app.get("/series", (c) => c.json(viewer.series()));

  /** GET /api/savings — tokens injected against tokens saved. */
  app.get("/savings", async (c) => c.json(await viewer.savings(Math.min(readCount(c, "days") ?? 30, 3650))));

  return app;
}
