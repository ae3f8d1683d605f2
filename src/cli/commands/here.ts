import type { Command } from "../command.ts";
import { sayPresence } from "../say-presence.ts";

export const here: Command = {
  summary:
    "Say that you are here: nothing is sent until you leave again (an hour without a sign of you at most).",
  usage: "[--auto]",
  examples: ["rookery here", "rookery here --auto"],
  options: { auto: { type: "boolean" } },
  optionHelp: { auto: "take back what you said, here or away: go by the signs" },
  run: (context, { flags }) => sayPresence(context, flags.auto ? "auto" : "here"),
};
