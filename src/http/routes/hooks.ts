import { Hono } from "hono";
import { isHookEvent } from "../../protocol/hook-events.ts";
import { parsePid } from "../../protocol/spool-name.ts";
import { AppError } from "../../shared/errors.ts";
import type { Backend } from "../backend.ts";
import { readBytes } from "../body.ts";

const eventId = /^[A-Za-z0-9._:-]{1,200}$/;

export function hookRoutes(backend: Backend): Hono {
  const app = new Hono();

  /** POST /api/hooks/:event — the same ingest as the hook script, for other hosts and for tests. */
  app.post("/:event", async (c) => {
    const event = c.req.param("event");
    if (!isHookEvent(event))
      throw new AppError("unknown_event", `There is no event ${JSON.stringify(event.slice(0, 60))}.`);
    const id = c.req.header("x-rookery-event-id");
    if (id !== undefined && !eventId.test(id))
      throw new AppError("invalid_payload", "x-rookery-event-id holds characters that an id may not have.");
    const raw = await readBytes(c);
    return c.json(
      await backend.postHook({ event, raw, id, claudePid: parsePid(c.req.header("x-claude-pid")) }),
    );
  });

  return app;
}
