import { AppError } from "../../shared/errors.ts";
import { nearest } from "../../shared/nearest.ts";
import type { Command } from "../command.ts";
import { setupMatrix } from "./setup/matrix.ts";
import { setupModel } from "./setup/model.ts";
import { setupSlack } from "./setup/slack.ts";

/** What can be set up, each in a file of its own. */
const parts: Record<string, Command> = { matrix: setupMatrix, model: setupModel, slack: setupSlack };

export const setup: Command = {
  summary: "Set up what is optional: a model that distils turns, Slack, another homeserver.",
  usage: `${Object.keys(parts).join("|")} [options]`,
  examples: Object.values(parts).flatMap(({ examples }) => examples),
  options: Object.assign({}, ...Object.values(parts).map(({ options }) => options)) as Command["options"] &
    object,
  optionHelp: Object.assign({}, ...Object.values(parts).map(({ optionHelp }) => optionHelp)) as Record<
    string,
    string
  >,
  words: { min: 1, max: 1 },
  async run(context, { flags, words: [name = ""] }) {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (!part) {
      const guess = nearest(name, Object.keys(parts)) ?? Object.keys(parts).join(", ");
      throw new AppError("invalid_argument", `There is no setup for ${name}; there is: ${guess}.`);
    }
    const foreign = Object.keys(flags).find(
      (flag) => flag !== "json" && !Object.hasOwn(part.options ?? {}, flag),
    );
    if (foreign) throw new AppError("invalid_argument", `rookery setup ${name} takes no --${foreign}.`);
    return part.run(context, { flags, words: [] });
  },
};
