import { Hono } from "hono";
import { blameRequest } from "../../protocol/blame.ts";
import {
  contextRequest,
  observationCreate,
  observationPatch,
  projectPatch,
  searchRequest,
} from "../../protocol/memory.ts";
import { AppError } from "../../shared/errors.ts";
import { checkShape, readBody, readLimit, readTime } from "../body.ts";
import type { MemoryBackend } from "../memory-backend.ts";

export function memoryRoutes(memory: MemoryBackend): Hono {
  const app = new Hono();

  /** GET /api/search */
  app.get("/search", async (c) =>
    c.json({ results: await memory.search(checkShape(searchRequest, c.req.query())) }),
  );

  /** GET /api/timeline */
  app.get("/timeline", (c) =>
    c.json(memory.timeline(required(c.req.query("around"), "around"), readLimit(c, 5, 50))),
  );

  /** POST /api/observations */
  app.post("/observations", async (c) => c.json(memory.save(await readBody(c, observationCreate)), 201));

  /** GET /api/observations */
  app.get("/observations", (c) =>
    c.json({ observations: memory.list(c.req.query("project"), readLimit(c, 50, 1000)) }),
  );

  /** GET /api/observations/pinned */
  app.get("/observations/pinned", (c) => c.json({ observations: memory.pinned(c.req.query("project")) }));

  /** GET /api/observations/:id */
  app.get("/observations/:id", (c) => c.json(memory.get(c.req.param("id"))));

  /** PATCH /api/observations/:id */
  app.patch("/observations/:id", async (c) =>
    c.json(memory.edit(c.req.param("id"), await readBody(c, observationPatch))),
  );

  /** GET /api/context */
  app.get("/context", (c) => c.json(memory.context(checkShape(contextRequest, c.req.query()))));

  /** GET /api/injections */
  app.get("/injections", (c) =>
    c.json({ injections: memory.injections(required(c.req.query("session"), "session")) }),
  );

  /** GET /api/projects */
  app.get("/projects", (c) => c.json({ projects: memory.projects() }));

  /** PATCH /api/projects/:id */
  app.patch("/projects/:id", async (c) =>
    c.json(memory.setProject(c.req.param("id"), await readBody(c, projectPatch))),
  );

  /** GET /api/today */
  app.get("/today", (c) => c.json(memory.day(readTime(c, "from") ?? 0)));

  /** GET /api/blame */
  app.get("/blame", async (c) => c.json(await memory.blame(checkShape(blameRequest, c.req.query()))));

  return app;
}

function required(value: string | undefined, name: string): string {
  if (value) return value;
  throw new AppError("invalid_payload", `${name} is required.`);
}
