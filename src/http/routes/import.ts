import { Hono } from "hono";
import { importRequest } from "../../protocol/import.ts";
import { readBody } from "../body.ts";
import type { ImportBackend } from "../import-backend.ts";

export function importRoutes(importing: ImportBackend): Hono {
  const app = new Hono();

  /** POST /api/import */
  app.post("/", async (c) => c.json(importing.start(await readBody(c, importRequest)), 202));

  /** GET /api/import */
  app.get("/", async (c) => c.json(await importing.view(c.req.query("folder"))));

  /** DELETE /api/import */
  app.delete("/", async (c) => c.json(await importing.cancel()));

  return app;
}
