import { type Context, Hono } from "hono";
import {
  leaseCreate,
  messageCreate,
  personCreate,
  roomCreate,
  roomPatch,
  taskCreate,
  taskPatch,
} from "../../protocol/mail.ts";
import { readBody, readLimit, readTime } from "../body.ts";
import type { Caller, MailBackend } from "../mail-backend.ts";
import { readPeer } from "../peer.ts";

export function mailRoutes(mail: MailBackend): Hono {
  const app = new Hono();

  /** GET /api/rooms */
  app.get("/rooms", (c) => c.json({ rooms: mail.rooms() }));

  /** POST /api/rooms */
  app.post("/rooms", async (c) =>
    c.json(await mail.createRoom(await readBody(c, roomCreate), callerOf(c)), 201),
  );

  /** PATCH /api/rooms/:room */
  app.patch("/rooms/:room", async (c) => {
    const { keepDays } = await readBody(c, roomPatch);
    return c.json(await mail.setKeepDays(c.req.param("room"), keepDays, callerOf(c)));
  });

  /** GET /api/rooms/:room/members */
  app.get("/rooms/:room/members", async (c) => c.json({ members: await mail.members(c.req.param("room")) }));

  /** POST /api/rooms/:room/read — by the person, who has it before them. */
  app.post("/rooms/:room/read", async (c) => c.json(await mail.markRead(c.req.param("room"), callerOf(c))));

  /** GET /api/messages?room=&limit=&before= — newest first; a room's name or id, or an agent's. Without: what is for you. */
  app.get("/messages", (c) => {
    const [room, limit, before] = [c.req.query("room"), readLimit(c, 50, 500), readTime(c, "before")];
    return c.json({
      messages: room === undefined ? mail.inbox(limit, before) : mail.history(room, limit, before),
    });
  });

  /** POST /api/messages — kept when this answers; `state` says whether the homeserver has it. */
  app.post("/messages", async (c) => {
    const message = await readBody(c, messageCreate);
    return c.json(await mail.send(message, callerOf(c, message.hostPid)), 201);
  });

  /** GET /api/tasks?project=&limit= */
  app.get("/tasks", (c) => c.json({ tasks: mail.tasks(c.req.query("project"), readLimit(c, 50, 500)) }));

  /** POST /api/tasks */
  app.post("/tasks", async (c) => {
    const task = await readBody(c, taskCreate);
    return c.json(await mail.createTask(task, callerOf(c, task.hostPid)), 201);
  });

  /** PATCH /api/tasks/:id */
  app.patch("/tasks/:id", async (c) => {
    const patch = await readBody(c, taskPatch);
    return c.json(await mail.changeTask(c.req.param("id"), patch, callerOf(c, patch.hostPid)));
  });

  /** GET /api/leases?project= */
  app.get("/leases", (c) => c.json({ leases: mail.leases(c.req.query("project")) }));

  /** POST /api/leases — granted, extended, or refused with `lease_taken`. */
  app.post("/leases", async (c) => c.json(mail.takeLease(await readBody(c, leaseCreate)), 201));

  /** DELETE /api/leases/:id?pid= */
  app.delete("/leases/:id", async (c) => {
    const pid = Number(c.req.query("pid"));
    return c.json(await mail.releaseLease(c.req.param("id"), callerOf(c, pid > 0 ? pid : undefined)));
  });

  /** GET /api/matrix */
  app.get("/matrix", async (c) => c.json(await mail.matrix()));

  /** POST /api/matrix/people */
  app.post("/matrix/people", async (c) =>
    c.json(await mail.invite(await readBody(c, personCreate), callerOf(c)), 201),
  );

  return app;
}

function callerOf(c: Context, hostPid?: number): Caller {
  return { hostPid, peer: readPeer(c) };
}
