import { AppError } from "../../shared/errors.ts";
import type { Command } from "../command.ts";
import { setupMatrix } from "./setup/matrix.ts";
import { setupModel } from "./setup/model.ts";
import { setupSlack } from "./setup/slack.ts";

export const setup: Command = {
  summary: "Set up optional parts: Slack, a model that distils turns, another homeserver.",
  usage: "slack|model|matrix [options]",
  examples: ["rookery setup slack", "rookery setup model --provider claude", "rookery setup slack --help"],
  parts: { slack: setupSlack, model: setupModel, matrix: setupMatrix },
  async run() {
    throw new AppError("invalid_argument", "Usage: rookery setup slack, model or matrix");
  },
};
