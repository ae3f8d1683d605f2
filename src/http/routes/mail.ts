import { Hono } from "hono";
import {
  leaseCreate,
  messageCreate,
  personCreate,
  roomCreate,
  roomPatch,
  taskCreate,
  taskPatch,
} from "../../protocol/mail.ts";
import { AppError } from "../../shared/errors.ts";
import { readBody, readLimit } from "../body.ts";
import type { MailBackend } from "../mail-backend.ts";

export function mailRoutes(mail: MailBackend): Hono {
  const app = new Hono();

  /** GET /api/rooms */
  app.get("/rooms", (c) => c.json({ rooms: mail.rooms() }));

  /** POST /api/rooms */
  app.post("/rooms", async (c) => c.json(await mail.createRoom(await readBody(c, roomCreate)), 201));

  /** PATCH /api/rooms/:room */
  app.patch("/rooms/:room", async (c) =>
    c.json(mail.setKeepDays(c.req.param("room"), (await readBody(c, roomPatch)).keepDays)),
  );

  /** GET /api/messages?room=&limit=&before= — newest first; a room's name or id, or the agent's on the other side. */
  app.get("/messages", (c) => {
    const room = c.req.query("room");
    if (!room) throw new AppError("invalid_payload", "room is required.");
    const before = c.req.query("before");
    return c.json({
      messages: mail.history(room, readLimit(c, 50, 500), before ? Number(before) : undefined),
    });
  });

  /** POST /api/messages — kept when this answers; `state` says whether the homeserver has it. */
  app.post("/messages", async (c) => c.json(await mail.send(await readBody(c, messageCreate)), 201));

  /** GET /api/tasks?project=&limit= */
  app.get("/tasks", (c) => c.json({ tasks: mail.tasks(c.req.query("project"), readLimit(c, 50, 500)) }));

  /** POST /api/tasks */
  app.post("/tasks", async (c) => c.json(mail.createTask(await readBody(c, taskCreate)), 201));

  /** PATCH /api/tasks/:id */
  app.patch("/tasks/:id", async (c) =>
    c.json(mail.changeTask(c.req.param("id"), await readBody(c, taskPatch))),
  );

  /** GET /api/leases?project= */
  app.get("/leases", (c) => c.json({ leases: mail.leases(c.req.query("project")) }));

  /** POST /api/leases — granted, extended, or refused with `lease_taken`. */
  app.post("/leases", async (c) => c.json(mail.takeLease(await readBody(c, leaseCreate)), 201));

  /** DELETE /api/leases/:id?pid= */
  app.delete("/leases/:id", (c) => {
    const pid = Number(c.req.query("pid"));
    return c.json(mail.releaseLease(c.req.param("id"), pid > 0 ? pid : undefined));
  });

  /** GET /api/matrix */
  app.get("/matrix", async (c) => c.json(await mail.matrix()));

  /** POST /api/matrix/people */
  app.post("/matrix/people", async (c) => c.json(await mail.invite(await readBody(c, personCreate)), 201));

  return app;
}
