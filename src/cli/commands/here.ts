import type { Command } from "../command.ts";
import { setPresence } from "../presence.ts";

export const here: Command = {
  summary:
    "Say that you are here: nothing is sent until you leave again (an hour without a sign of you at most).",
  usage: "[--auto]",
  examples: ["rookery here", "rookery here --auto"],
  options: { auto: { type: "boolean" } },
  optionHelp: { auto: "detect your presence automatically again" },
  run: (context, { flags }) => setPresence(context, flags.auto ? "auto" : "here"),
};
