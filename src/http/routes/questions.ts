import { Hono } from "hono";
import { questionStates } from "../../domain/ask/question.ts";
import { noticeCreate, questionAnswer, questionCreate, questionHanded } from "../../protocol/ask.ts";
import { AppError } from "../../shared/errors.ts";
import type { AskBackend } from "../ask-backend.ts";
import { readBody, readLimit } from "../body.ts";
import { readPeer } from "../peer.ts";

/** Below what clients and proxies allow a request to take. */
const longestWaitMs = 110_000;

export function questionRoutes(backend: AskBackend): Hono {
  const app = new Hono();

  /** GET /api/questions?state=&limit= — newest first. */
  app.get("/questions", (c) => {
    const asked = c.req.query("state");
    const state = questionStates.find((known) => known === asked);
    if (asked !== undefined && state === undefined)
      throw new AppError("invalid_payload", `state must be one of ${questionStates.join(", ")}.`);
    return c.json({ questions: backend.list(state, readLimit(c, 50, 1000)) });
  });

  /** POST /api/questions — asks; the answer comes to whoever waits, or to the agent's inbox. */
  app.post("/questions", async (c) => c.json(backend.ask(await readBody(c, questionCreate)), 201));

  /** GET /api/questions/:id?wait= — with `wait`, when it is settled or after so many milliseconds. */
  app.get("/questions/:id", async (c) => {
    const ms = Number(c.req.query("wait") ?? 0);
    if (!(ms >= 0)) throw new AppError("invalid_payload", "wait must be a number of milliseconds.");
    const id = c.req.param("id");
    if (ms === 0) return c.json(backend.get(id));
    return c.json(await backend.wait(id, Math.min(ms, longestWaitMs), c.req.raw.signal));
  });

  /** POST /api/questions/:id/answer — the first answer counts; a later one is told who was first. */
  app.post("/questions/:id/answer", async (c) =>
    c.json(await backend.answer(c.req.param("id"), await readBody(c, questionAnswer), readPeer(c))),
  );

  /** POST /api/questions/:id/handed — whoever asked has the answer, or wants none any more. */
  app.post("/questions/:id/handed", async (c) =>
    c.json(backend.handed(c.req.param("id"), await readBody(c, questionHanded))),
  );

  /** POST /api/notices — one-way news for the person. */
  app.post("/notices", async (c) => c.json(backend.notify(await readBody(c, noticeCreate)), 202));

  return app;
}
