import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";
import { setupEmbeddings } from "./setup/embeddings.ts";
import { setupMatrix } from "./setup/matrix.ts";
import { setupModel } from "./setup/model.ts";
import { setupSlack } from "./setup/slack.ts";

export const setup: Command = {
  summary: "Set up optional parts: Slack, a model that distils turns, embeddings, another homeserver.",
  usage: "slack|model|embeddings|matrix [options]",
  examples: ["rookery setup slack", "rookery setup model --provider claude", "rookery setup slack --help"],
  parts: { slack: setupSlack, model: setupModel, embeddings: setupEmbeddings, matrix: setupMatrix },
  async run() {
    throw new AppError("invalid_argument", "Usage: rookery setup slack, model, embeddings or matrix");
  },
};
