import { Hono } from "hono";
import { forgetRequest } from "../../protocol/care.ts";
import { readBody } from "../body.ts";
import type { CareBackend } from "../care-backend.ts";

export function careRoutes(care: CareBackend): Hono {
  const app = new Hono();

  /** POST /api/forget */
  app.post("/forget", async (c) => c.json(await care.forget(await readBody(c, forgetRequest))));

  /** DELETE /api/observations/:id */
  app.delete("/observations/:id", async (c) =>
    c.json({ forgotten: true, ...(await care.forget({ ids: [c.req.param("id")], dryRun: false })) }),
  );

  return app;
}
