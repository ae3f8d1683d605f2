import type { Command } from "../command.ts";
import { setPresence } from "../presence.ts";

export const away: Command = {
  summary: "Set yourself as away: questions and notifications go to your channels until you are back.",
  usage: "",
  examples: ["rookery away"],
  run: (context) => setPresence(context, "away"),
};
