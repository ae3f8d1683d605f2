import type { Command } from "../command.ts";
import { sayPresence } from "../say-presence.ts";

export const away: Command = {
  summary: "Say that you are away: questions and news go to your channels until you are seen again.",
  usage: "",
  examples: ["rookery away"],
  run: (context) => sayPresence(context, "away"),
};
