import { Hono } from "hono";
import * as z from "zod";
import { stopRequest } from "../../protocol/api.ts";
import { AppError } from "../../shared/errors.ts";
import type { Backend } from "../backend.ts";
import { readBody } from "../body.ts";
import { readPeer } from "../peer.ts";
import { formatMetrics } from "../metrics-text.ts";
import { streamEvents } from "../sse.ts";

export function daemonRoutes(backend: Backend): Hono {
  const app = new Hono();

  /** GET /api/status */
  app.get("/status", async (c) => c.json(await backend.status()));

  /** GET /api/metrics — Prometheus text. */
  app.get("/metrics", async (c) => c.text(formatMetrics(await backend.status())));

  /** GET /api/events — SSE. */
  app.get("/events", (c) => streamEvents(c, backend));

  /** GET /api/agents */
  app.get("/agents", (c) => c.json({ agents: backend.listAgents() }));

  /** GET /api/config */
  app.get("/config", (c) => c.json(backend.config()));

  /** PATCH /api/config — merges into config.json; null removes an override. Person-only settings over TCP, by a person. */
  app.patch("/config", async (c) =>
    c.json(await backend.patchConfig(await readBody(c, z.record(z.string(), z.unknown())), readPeer(c))),
  );

  /** POST /api/stop — answers, then ends; what arrives meanwhile waits in the spool. */
  app.post("/stop", async (c) => {
    const { reason, version, build = "", builtAt = 0 } = await readBody(c, stopRequest);
    // Several sessions may ask after an upgrade: only the first one finds an older daemon.
    if (reason === "handover" && version !== undefined && !backend.isOlderThan({ version, build, builtAt }))
      throw new AppError(
        "daemon_running",
        "This daemon is not older than the one that would take its place.",
      );
    backend.stop(reason);
    return c.json({ stopping: true }, 202);
  });

  return app;
}
