import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";
import { setupDiscord } from "./setup/discord.ts";
import { setupEmbeddings } from "./setup/embeddings.ts";
import { setupMatrix } from "./setup/matrix.ts";
import { setupModel } from "./setup/model.ts";
import { setupNtfy } from "./setup/ntfy.ts";
import { setupSlack } from "./setup/slack.ts";
import { setupWebhook } from "./setup/webhook.ts";
import { setupTelegram } from "./setup/telegram.ts";

export const setup: Command = {
  summary:
    "Set up Slack, Telegram, Discord, ntfy, a webhook, a model that writes notes, embeddings, another homeserver.",
  usage: "slack|telegram|discord|ntfy|webhook|model|embeddings|matrix [options]",
  examples: ["rookery setup slack", "rookery setup model --provider claude", "rookery setup slack --help"],
  subcommands: {
    slack: setupSlack,
    telegram: setupTelegram,
    discord: setupDiscord,
    ntfy: setupNtfy,
    webhook: setupWebhook,
    model: setupModel,
    embeddings: setupEmbeddings,
    matrix: setupMatrix,
  },
  async run() {
    throw new AppError(
      "invalid_argument",
      "Usage: rookery setup slack, telegram, discord, ntfy, webhook, model, embeddings or matrix",
    );
  },
};
