import { Hono } from "hono";
import { spendRequest } from "../../protocol/model.ts";
import { checkShape } from "../body.ts";
import type { ModelBackend } from "../model-backend.ts";

export function modelRoutes(model: ModelBackend): Hono {
  const app = new Hono();

  /** GET /api/spend */
  app.get("/spend", (c) => c.json(model.spend(checkShape(spendRequest, c.req.query()).days)));

  /** POST /api/model/trial — one small call. */
  app.post("/model/trial", async (c) => c.json(await model.trial()));

  return app;
}
