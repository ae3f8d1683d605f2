import { Hono } from "hono";
import { pairingCreate, presenceUpdate } from "../../protocol/reach.ts";
import { readBody, readLimit } from "../body.ts";
import { readPeer } from "../peer.ts";
import type { ReachBackend } from "../reach-backend.ts";

export function reachRoutes(reach: ReachBackend): Hono {
  const app = new Hono();

  /** GET /api/presence */
  app.get("/presence", (c) => c.json(reach.presence()));

  /** POST /api/presence — said by hand, or a look at the viewer. */
  app.post("/presence", async (c) => c.json(reach.updatePresence(await readBody(c, presenceUpdate))));

  /** GET /api/outbox?all=&limit= — what is waiting or parked; with all=1 also what is over. */
  app.get("/outbox", (c) =>
    c.json({ messages: reach.listOutbox(readLimit(c, 50, 1000), c.req.query("all") === "1") }),
  );

  /** POST /api/outbox/:id/retry */
  app.post("/outbox/:id/retry", (c) => c.json(reach.retryMessage(c.req.param("id"))));

  /** DELETE /api/outbox/:id — gives a message up. */
  app.delete("/outbox/:id", (c) => c.json(reach.dropMessage(c.req.param("id"))));

  /** GET /api/audit?limit= — newest first. */
  app.get("/audit", (c) => c.json({ entries: reach.listAudit(readLimit(c, 50, 10_000)) }));

  /** GET /api/pairings — who may answer, and which codes are waiting. */
  app.get("/pairings", (c) => c.json(reach.pairings()));

  /** POST /api/pairings — over TCP, from a process that does not run under a coding agent. */
  app.post("/pairings", async (c) => {
    const { channel } = await readBody(c, pairingCreate);
    return c.json(await reach.offerPairing(channel, readPeer(c)), 201);
  });

  /** DELETE /api/pairings/:id — this person may not answer any more; asked like pairing itself. */
  app.delete("/pairings/:id", async (c) => c.json(await reach.revokePerson(c.req.param("id"), readPeer(c))));

  return app;
}
