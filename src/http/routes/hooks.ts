import { Hono } from "hono";
import { parseEventName, parsePid } from "../../protocol/spool-name.ts";
import { AppError } from "../../shared/errors.ts";
import type { Backend } from "../backend.ts";
import { readBytes } from "../body.ts";

const eventId = /^[A-Za-z0-9._:-]{1,200}$/;

export function hookRoutes(backend: Backend): Hono {
  const app = new Hono();

  /** POST /api/hooks/:event — `EVENT[@HOST]`; the same ingest as the hook script, for other hosts and for tests. */
  app.post("/:event", async (c) => {
    const given = c.req.param("event");
    const name = parseEventName(given);
    if (!name)
      throw new AppError("unknown_event", `There is no event ${JSON.stringify(given.slice(0, 60))}.`);
    const id = c.req.header("x-rookery-event-id");
    if (id !== undefined && !eventId.test(id))
      throw new AppError("invalid_payload", "x-rookery-event-id holds characters that an id may not have.");
    const raw = await readBytes(c);
    // x-claude-pid: the header's name before other hosts were known.
    const hostPid = parsePid(c.req.header("x-host-pid") ?? c.req.header("x-claude-pid"));
    return c.json(await backend.postHook({ ...name, raw, id, hostPid }));
  });

  return app;
}
