import { Hono } from "hono";
import { deliveryCreate } from "../../protocol/api.ts";
import { AppError } from "../../shared/errors.ts";
import type { Backend } from "../backend.ts";
import { readBody, readLimit } from "../body.ts";
import { readPeer } from "../peer.ts";

export function deliveryRoutes(backend: Backend): Hono {
  const app = new Hono();

  /** POST /api/deliveries — queues a text for an agent; it is durable when this answers. */
  app.post("/", async (c) => {
    const { hostPid, ...delivery } = await readBody(c, deliveryCreate);
    return c.json(await backend.sendDelivery(delivery, { hostPid, peer: readPeer(c) }), 201);
  });

  /** GET /api/deliveries?agent=&limit= — newest first. */
  app.get("/", (c) => {
    const agent = c.req.query("agent");
    if (!agent) throw new AppError("invalid_payload", "agent is required.");
    return c.json({ deliveries: backend.listDeliveries(agent, readLimit(c, 50, 1000)) });
  });

  /** GET /api/deliveries/:id */
  app.get("/:id", (c) => c.json(backend.getDelivery(c.req.param("id"))));

  /** POST /api/deliveries/:id/ack — confirmed by whoever read it through a tool. */
  app.post("/:id/ack", (c) => c.json(backend.acknowledgeDelivery(c.req.param("id"))));

  return app;
}
