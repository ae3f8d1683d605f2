import { Hono } from "hono";
import { sessionCreate, sessionPatch } from "../../protocol/api.ts";
import { AppError } from "../../shared/errors.ts";
import type { Backend } from "../backend.ts";
import { readBody, readLimit } from "../body.ts";

export function sessionRoutes(backend: Backend): Hono {
  const app = new Hono();

  /** GET /api/sessions?limit=&before=&pid= — newest first, or the one that a host process is in now. */
  app.get("/", (c) => {
    const pid = c.req.query("pid");
    if (pid === undefined)
      return c.json({ sessions: backend.listSessions(readLimit(c, 50, 1000), c.req.query("before")) });
    if (!/^[1-9]\d*$/.test(pid)) throw new AppError("invalid_payload", "pid must be a process id.");
    return c.json({ sessions: [backend.sessionOfPid(Number(pid))] });
  });

  /** POST /api/sessions — for hosts that do not report the start of a session. */
  app.post("/", async (c) => c.json(await backend.createSession(await readBody(c, sessionCreate)), 201));

  /** GET /api/sessions/:id */
  app.get("/:id", (c) => c.json(backend.getSession(c.req.param("id"))));

  /** PATCH /api/sessions/:id */
  app.patch("/:id", async (c) =>
    c.json(await backend.patchSession(c.req.param("id"), await readBody(c, sessionPatch))),
  );

  return app;
}
