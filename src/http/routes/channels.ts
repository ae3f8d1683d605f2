import { Hono } from "hono";
import { slackCheckRequest } from "../../protocol/slack.ts";
import { readBody } from "../body.ts";
import type { ChannelsBackend } from "../channels-backend.ts";

export function channelRoutes(channels: ChannelsBackend): Hono {
  const app = new Hono();

  /** POST /api/channels/slack/check — looks at tokens that are not stored yet; keeps and logs nothing. */
  app.post("/slack/check", async (c) =>
    c.json(await channels.checkSlack(await readBody(c, slackCheckRequest))),
  );

  /** POST /api/channels/:name/test — says hello. */
  app.post("/:name/test", async (c) => c.json(await channels.sendTest(c.req.param("name"))));

  return app;
}
