import * as z from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { matrixCheck, matrixCheckRequest } from "../mail.ts";
import { ntfyCheckRequest } from "../ntfy.ts";
import { slackCheck, slackCheckRequest } from "../slack.ts";
import { discordCheck, discordCheckRequest } from "../discord.ts";
import { telegramCheck, telegramCheckRequest } from "../telegram.ts";

/** Setting up a channel. */
export const channelEndpoints = {
  checkSlack: defineEndpoint({
    method: "POST",
    path: "/api/channels/slack/check",
    access: "token",
    summary: "Checks tokens with Slack; stores and logs nothing.",
    body: slackCheckRequest,
    answer: slackCheck,
  }),
  checkMatrix: defineEndpoint({
    method: "POST",
    path: "/api/channels/matrix/check",
    access: "person",
    summary: "Signs in on a homeserver and out again; stores and logs nothing.",
    body: matrixCheckRequest,
    answer: matrixCheck,
  }),
  checkTelegram: defineEndpoint({
    method: "POST",
    path: "/api/channels/telegram/check",
    access: "person",
    summary: "Checks a bot token with Telegram; stores and logs nothing.",
    body: telegramCheckRequest,
    answer: telegramCheck,
  }),
  checkDiscord: defineEndpoint({
    method: "POST",
    path: "/api/channels/discord/check",
    access: "person",
    summary: "Checks a bot token with Discord; stores and logs nothing.",
    body: discordCheckRequest,
    answer: discordCheck,
  }),
  checkNtfy: defineEndpoint({
    method: "POST",
    path: "/api/channels/ntfy/check",
    access: "person",
    summary: "Checks that the topics of an ntfy server can be read; stores and logs nothing.",
    body: ntfyCheckRequest,
    answer: z.object({ server: z.string() }),
  }),
  receiveWebhook: defineEndpoint({
    method: "POST",
    path: "/webhook/answer",
    access: "open",
    summary:
      "Takes an answer from your webhook receiver. Needs a signature instead of the token (docs/webhook.md).",
    body: "bytes",
    answer: z.object({ result: z.string(), message: z.string().nullable() }),
  }),
  testChannel: defineEndpoint({
    method: "POST",
    path: "/api/channels/:name/test",
    access: "token",
    summary: "Sends a greeting over a channel, now.",
    answer: z.object({ channel: z.string() }),
  }),
};
